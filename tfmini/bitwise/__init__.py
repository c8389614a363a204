"""tf.bitwise: the bits of integers."""

from tfmini.ops.bits import bitwise_and, bitwise_or, bitwise_xor, invert, left_shift, right_shift
