"""Convolution in one, two and three dimensions: ops, and functions composed of them."""
