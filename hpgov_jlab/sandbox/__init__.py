"""Far ends on loopback for people without an account: they replace the other end of the wire, never a class of the product (DESIGN.md 13).

Imported by the command line and by tests only. Importing this package costs nothing: every part is imported by its own name.
"""
