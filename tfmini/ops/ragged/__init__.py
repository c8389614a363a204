"""Ragged tensors: rows of different lengths, kept as their concatenated values and where each row ends.

Loaded at its first use: few programs have one. `ragged_tensors.py` has the class, `ragged_partitions.py` the ways to
say which value is in which row; `ragged_calls.py` registers what public functions of dense tensors do with ragged ones.
"""
