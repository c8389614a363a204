"""Ragged tensors: rows of different lengths, kept as their concatenated values and where each row ends.

Loaded at its first use: few programs have one. `ragged_tensor.py` has the class, `row_partition.py` the ways to say
which value is in which row; `ragged_overloads.py` registers what public functions of dense tensors do with ragged ones.
"""

# What public functions and operators do with ragged tensors.
from tfmini._src.ops.ragged import (  # noqa: F401
    ragged_getitem,
    ragged_overloads,
    ragged_string_split,
    ragged_to_tensor,
)
