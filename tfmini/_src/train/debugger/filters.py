"""Filters of tensors: `filter(datum, tensor)` says whether a tensor is what is looked for."""

from __future__ import annotations

from typing import Any

import numpy as np

from tfmini._src.train.debugger.tensor_datum import InconvertibleTensorProto


def has_inf_or_nan(datum: Any, tensor: Any) -> bool:
    """Whether a tensor has an infinite element, or one that is no number.

    Args:
      datum: the DebugTensorDatum of the tensor.
      tensor: its value, a numpy array; one that had none has nothing of the kind.
    """
    if isinstance(tensor, InconvertibleTensorProto):
        return False
    array = np.asarray(tensor)
    if array.dtype.kind in "fc":
        return not bool(np.isfinite(array).all())
    if array.dtype.kind == "V":  # bfloat16
        return not bool(np.isfinite(array.astype(np.float32)).all())
    return False
