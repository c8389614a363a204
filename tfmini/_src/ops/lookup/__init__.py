"""Lookup table ops: hash tables, mutable tables, initialization from tensors or files."""
