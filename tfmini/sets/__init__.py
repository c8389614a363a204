"""tf.sets: sets in the last dimension of tensors."""

from tfmini.hints import no_attributes as _no_attributes
from tfmini.ops.set_operations import set_difference, set_intersection, set_size, set_union
from tfmini.ops.set_operations import set_difference as difference
from tfmini.ops.set_operations import set_intersection as intersection
from tfmini.ops.set_operations import set_size as size
from tfmini.ops.set_operations import set_union as union

__getattr__ = _no_attributes(__name__, globals())
