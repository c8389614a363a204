"""tf.bitwise: the bits of integers."""

from tfmini.hints import no_attributes as _no_attributes
from tfmini.ops.bits import bitwise_and, bitwise_or, bitwise_xor, invert, left_shift, right_shift

__all__ = [name for name in globals() if not name.startswith("_")]
__getattr__ = _no_attributes(__name__, globals())
