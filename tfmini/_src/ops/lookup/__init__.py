"""Lookup tables as ops: hash tables, mutable ones, initialised from tensors or files."""
