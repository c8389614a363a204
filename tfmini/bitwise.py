"""tf.bitwise: the bits of integers."""

from tfmini.names.namespaces import namespace as _namespace
from tfmini.ops.math.bits import (
    bitwise_and,
    bitwise_or,
    bitwise_xor,
    invert,
    left_shift,
    right_shift,
)

__all__ = [
    "bitwise_and",
    "bitwise_or",
    "bitwise_xor",
    "invert",
    "left_shift",
    "right_shift",
]
_namespace(globals())
