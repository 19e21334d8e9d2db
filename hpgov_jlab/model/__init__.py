"""The words of the product: plain data, no I/O, no clocks."""
