"""Mismatched tensor shapes."""
