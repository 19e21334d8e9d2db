"""The allow lists as data, and the policies made from them."""
