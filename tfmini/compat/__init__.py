"""`tf.compat`: text and bytes, the kinds of numbers, static dimensions; `tf.compat.v1` is `tf` itself.

`behavior` holds the switches between TensorFlow 1 and 2, which `tf` offers.
"""

from typing import Any as _Any

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
from tfmini.names.namespaces import namespace as _namespace
from tfmini.shapes import dimension_at_index, dimension_value

v1: _Any  # tfmini itself, which `tfmini/__init__.py` puts here

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
    "v1",
]

_namespace(globals())
