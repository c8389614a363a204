"""Tensor filters, called as `filter(datum, tensor)`, which return whether a tensor matches."""

from __future__ import annotations

from typing import Any

import numpy as np

from tfmini._src.train.debugger.tensor_datum import InconvertibleTensorProto


def has_inf_or_nan(datum: Any, tensor: Any) -> bool:
    """Whether a tensor contains an infinity or NaN; False for an uninitialized tensor.

    Args:
      datum: the DebugTensorDatum of the tensor.
      tensor: its value, a NumPy array.
    """
    if isinstance(tensor, InconvertibleTensorProto):
        return False
    array = np.asarray(tensor)
    if array.dtype.kind in "fc":
        return not bool(np.isfinite(array).all())
    if array.dtype.kind == "V":  # bfloat16
        return not bool(np.isfinite(array.astype(np.float32)).all())
    return False
