"""The product as a whole: a real Jupyter server, or its service alone, in front of the sandbox's far ends."""
