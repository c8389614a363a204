"""Shapes that tensors do not have."""
