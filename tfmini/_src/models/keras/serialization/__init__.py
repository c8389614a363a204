"""Layers as plain data: their classes by name, and values as JSON has them."""
