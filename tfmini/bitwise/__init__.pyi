from tfmini._src.ops.math.bitwise import bitwise_and as bitwise_and
from tfmini._src.ops.math.bitwise import bitwise_or as bitwise_or
from tfmini._src.ops.math.bitwise import bitwise_xor as bitwise_xor
from tfmini._src.ops.math.bitwise import invert as invert
from tfmini._src.ops.math.bitwise import left_shift as left_shift
from tfmini._src.ops.math.bitwise import right_shift as right_shift
