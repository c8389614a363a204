"""`tf.compat`: text and bytes, the kinds of numbers, static dimensions; `tf.compat.v1` is `tf` itself.

`behavior` holds the switches between TensorFlow 1 and 2, which `tf` offers.
"""

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
from tfmini.hints import no_attributes as _no_attributes
from tfmini.shapes import dimension_at_index, dimension_value

__all__ = [
    "as_bytes",
    "as_str",
    "as_str_any",
    "as_text",
    "bytes_or_text_types",
    "complex_types",
    "dimension_at_index",
    "dimension_value",
    "forward_compatibility_horizon",
    "forward_compatible",
    "integral_types",
    "path_to_str",
    "real_types",
]

__getattr__ = _no_attributes(__name__, globals())
