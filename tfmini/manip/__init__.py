"""tf.manip: older names of functions that rearrange tensors."""

from tfmini.hints import no_attributes as _no_attributes
from tfmini.ops.blocks import batch_to_space_nd, space_to_batch_nd
from tfmini.ops.expanding import tile
from tfmini.ops.gathering_nd import gather_nd
from tfmini.ops.reshaping import reshape
from tfmini.ops.reversing import reverse, roll
from tfmini.ops.scattering_nd import scatter_nd

__all__ = [name for name in globals() if not name.startswith("_")]
__getattr__ = _no_attributes(__name__, globals())
