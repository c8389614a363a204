"""tf.sets: sets in the last dimension of tensors."""

from tfmini.names.namespaces import namespace as _namespace
from tfmini.ops.array.set_operations import set_difference, set_intersection, set_size, set_union
from tfmini.ops.array.set_operations import set_difference as difference
from tfmini.ops.array.set_operations import set_intersection as intersection
from tfmini.ops.array.set_operations import set_size as size
from tfmini.ops.array.set_operations import set_union as union

__all__ = [
    "difference",
    "intersection",
    "set_difference",
    "set_intersection",
    "set_size",
    "set_union",
    "size",
    "union",
]

_namespace(globals())
