"""Ragged tensors: rows of different lengths, stored as concatenated values and row ends.

Loaded at first use: few programs have one. `ragged_tensor.py` has the class, `row_partition.py` the encodings of row
partitions; `ragged_overloads.py` registers the ragged versions of public functions of dense tensors.
"""

# Public functions and operators on ragged tensors.
from tfmini._src.ops.ragged import (  # noqa: F401
    ragged_getitem,
    ragged_overloads,
    ragged_string_split,
    ragged_to_tensor,
)
