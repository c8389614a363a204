from tfmini.sets import set_difference as _difference; difference = _difference
from tfmini.sets import set_intersection as _intersection; intersection = _intersection
from tfmini._src.ops.array.sets import set_difference as set_difference
from tfmini._src.ops.array.sets import set_intersection as set_intersection
from tfmini._src.ops.array.sets import set_size as set_size
from tfmini._src.ops.array.sets import set_union as set_union
from tfmini.sets import set_size as _size; size = _size
from tfmini.sets import set_union as _union; union = _union
