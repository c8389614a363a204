"""Ragged tensors: rows of different lengths, stored as concatenated values and row ends.

The package is loaded on first use, because few programs need it. `ragged_tensor.py` contains the class,
`row_partition.py` the encodings of row partitions, and `ragged_overloads.py` registers ragged overloads of public
functions.
"""

# Public functions and operators on ragged tensors.
from tfmini._src.ops.ragged import (  # noqa: F401
    ragged_getitem,
    ragged_overloads,
    ragged_string_split,
    ragged_to_tensor,
)
