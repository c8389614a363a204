"""`tf.compat`: text and bytes, the kinds of numbers, and the switches between TensorFlow 1 and 2.

`tf.compat.v1` is `tf` itself.
"""

from tfmini.compat.behavior import (
    control_flow_v2_enabled,
    disable_control_flow_v2,
    disable_eager_execution,
    disable_tensor_equality,
    disable_v2_behavior,
    enable_control_flow_v2,
    enable_eager_execution,
    enable_tensor_equality,
    enable_v2_behavior,
    executing_eagerly,
)
from tfmini.compat.text import (
    as_bytes,
    as_str,
    as_str_any,
    as_text,
    bytes_or_text_types,
    complex_types,
    forward_compatibility_horizon,
    forward_compatible,
    integral_types,
    path_to_str,
    real_types,
)
from tfmini.shapes import dimension_at_index, dimension_value
