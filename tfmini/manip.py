"""tf.manip: older names of functions that rearrange tensors."""

from tfmini.names.namespaces import namespace as _namespace
from tfmini.ops.array.gathering_nd import gather_nd
from tfmini.ops.array.reshaping import reshape
from tfmini.ops.array.reversing import reverse, roll
from tfmini.ops.array.scattering_nd import scatter_nd
from tfmini.ops.array.space_to_batch import batch_to_space_nd, space_to_batch_nd
from tfmini.ops.array.tiling import tile

__all__ = [
    "batch_to_space_nd",
    "gather_nd",
    "reshape",
    "reverse",
    "roll",
    "scatter_nd",
    "space_to_batch_nd",
    "tile",
]
_namespace(globals())
