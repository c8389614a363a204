"""Convolution over one, two and three axes: ops, and the functions that compose them."""
