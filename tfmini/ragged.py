"""tf.ragged: tensors whose rows differ in length."""

from tfmini.names.namespaces import namespace as _namespace
from tfmini.ops.ragged import ragged_calls as _calls  # noqa: F401  what public functions do with them
from tfmini.ops.ragged import ragged_dense as _dense  # noqa: F401  an op
from tfmini.ops.ragged import ragged_slicing as _slicing  # noqa: F401
from tfmini.ops.ragged.ragged_concats import stack
from tfmini.ops.ragged.ragged_constants import constant, constant_value, placeholder
from tfmini.ops.ragged.ragged_mapping import map_flat_values
from tfmini.ops.ragged.ragged_partitions import (
    row_splits_to_segment_ids,
    segment_ids_to_row_splits,
)
from tfmini.ops.ragged.ragged_ranges import range
from tfmini.ops.ragged.ragged_selecting import boolean_mask, stack_dynamic_partitions
from tfmini.ops.ragged.ragged_strings import bytes_split as _strings  # noqa: F401
from tfmini.ops.ragged.ragged_values import RaggedTensorValue

__all__ = [
    "RaggedTensorValue",
    "boolean_mask",
    "constant",
    "constant_value",
    "map_flat_values",
    "placeholder",
    "range",
    "row_splits_to_segment_ids",
    "segment_ids_to_row_splits",
    "stack",
    "stack_dynamic_partitions",
]

_namespace(globals())
