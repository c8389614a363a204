"""Ragged tensors: rows of different lengths, stored as concatenated values and row ends.

Loaded on first use, as few programs need it. `ragged_tensor.py` contains the class, `row_partition.py` the encodings of
row partitions; `ragged_overloads.py` registers the ragged versions of public functions of dense tensors.
"""

# Public functions and operators on ragged tensors.
from tfmini._src.ops.ragged import (  # noqa: F401
    ragged_getitem,
    ragged_overloads,
    ragged_string_split,
    ragged_to_tensor,
)
