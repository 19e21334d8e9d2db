"""One file per answer: which reads it needs, dependent ones awaited on the loop, and pure functions that put it together."""
