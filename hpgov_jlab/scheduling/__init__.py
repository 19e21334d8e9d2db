"""Pure: what readings mean. Task states, share rows, lines, quantities."""
