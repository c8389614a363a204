"""`tensorflow.python.tf2`: whether this is TensorFlow 2's behaviour."""

from tfmini._src.nn.layers.backend.config import v2_behavior_enabled as enabled
from tfmini._src.programs.compat.v2_behavior import disable_v2_behavior as disable
from tfmini._src.programs.compat.v2_behavior import enable_v2_behavior as enable

__all__ = ["disable", "enable", "enabled"]
