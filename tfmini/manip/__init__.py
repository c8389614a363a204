"""tf.manip: older names of functions that rearrange tensors."""

from tfmini.ops.expanding import tile
from tfmini.ops.gathering_nd import gather_nd
from tfmini.ops.reversing import reverse, roll
from tfmini.ops.scattering_nd import scatter_nd
from tfmini.ops.shapes import reshape
