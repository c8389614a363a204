"""Convolution in one, two and three dimensions: ops, and the functions composed of them."""
