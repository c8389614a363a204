"""Out-of-range indices: finds the first one and formats TensorFlow's message."""

from __future__ import annotations

from typing import Any

import numpy as np

from tfmini._src.devices.host.native.rows import are_inside
from tfmini._src.graph.shape_inference import text

# Unsigned dtypes by index size: a negative index, read as unsigned, is too large.
_UNSIGNED = {4: np.uint32, 8: np.uint64}


def _subscript(shape: tuple[int, ...], flat: int) -> str:
    """Returns the subscript of element `flat`: "[0,1]", or "" for a scalar."""
    subscript = []
    for extent in reversed(shape):
        flat, position = divmod(flat, extent)
        subscript.append(str(position))
    return f"[{','.join(reversed(subscript))}]" if subscript else ""


def describe_outside_index(indices: Any, size: int) -> str:
    """Describes an index outside `size` elements: "indices[0,1] = 9 is not in [0, 3)"; "" without one."""
    if not indices.size:
        return ""
    if indices.__class__ is not np.ndarray and isinstance(indices, np.integer):
        if 0 <= indices < size:
            return ""
    is_host = indices.__class__ is np.ndarray
    if is_host and are_inside(indices, size):
        return ""
    unsigned = indices.view(_UNSIGNED[indices.itemsize])
    # NumPy's function takes two thirds of the method's time.
    if (np.maximum.reduce(unsigned, None) if is_host else unsigned.max()) < size:
        return ""
    wrong = ((indices < 0) | (indices >= size)).reshape(-1)
    first = int(wrong.argmax())
    value = int(indices.reshape(-1)[first])
    return f"indices{_subscript(indices.shape, first)} = {value} is not in [0, {size})"


def describe_outside_point(
    xp: Any, indices: Any, shape: tuple[int, ...], is_gathered: bool = False
) -> str:
    """Describes an out-of-range point on the last axis of `indices`: "indices[0] = [7] does not index into shape [3]".

    Of several such points, TensorFlow's kernels report the first, or the last if they gather; "" without one.
    """
    depth = indices.shape[-1]
    if xp is np and indices.size:
        unsigned = indices.reshape(-1, depth).view(_UNSIGNED[indices.itemsize])
        maxima = np.maximum.reduce(unsigned, 0).tolist()
        if all(maximum < limit for maximum, limit in zip(maxima, shape)):
            return ""
    limits = xp.asarray(shape[:depth], dtype=indices.dtype)
    wrong = ((indices < 0) | (indices >= limits)).any(axis=-1).reshape(-1)
    if not wrong.any():
        return ""
    point_index = wrong.size - 1 - int(wrong[::-1].argmax()) if is_gathered else int(wrong.argmax())
    point = ", ".join(str(int(i)) for i in indices.reshape(-1, depth)[point_index])
    location = _subscript(indices.shape[:-1], point_index)
    target = "param shape" if is_gathered else "shape"
    return f"indices{location} = [{point}] does not index into {target} {text(shape)}"
