"""JSON encoding of configuration values."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np

from tfmini._src.base import dtypes
from tfmini._src.base.shapes import Dimension, TensorShape


def json_value(value: Any) -> Any:
    """Converts an object that JSON cannot encode to a JSON-serializable value.

    Raises:
      TypeError: for an unsupported object.
    """
    if hasattr(value, "get_config"):
        return {"class_name": type(value).__name__, "config": value.get_config()}
    if type(value).__module__ == np.__name__:
        return value.tolist() if isinstance(value, np.ndarray) else value.item()
    if callable(value):
        return value.__name__
    if isinstance(value, Dimension):
        return value.value
    if isinstance(value, TensorShape):
        return value.as_list()
    if isinstance(value, dtypes.DType):
        return value.name
    if isinstance(value, Mapping):
        return dict(value)
    raise TypeError("Not JSON Serializable:", value)
