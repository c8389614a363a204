"""where and clip, which CuPy implements as ufuncs with their loops and type promotion."""

import numpy as np

from tests.support.fake_cupy.storage import Storage
from tests.support.fake_cupy.ufuncs import ufunc

# cupy/_sorting/search.py, _where_ufunc; cupy/_core/_routines_math.pyx, _clip: bfloat16 becomes float32.
_NUMBERS = "?bBhHiIlLqQefd"
_WHERE = ufunc("where", [f"?{c}{c}->{c}" for c in _NUMBERS + "FD"], np.where)


def _bound(x, low, high):
    """NaN bounds have no effect, unlike in NumPy."""
    return np.where(low > high, high, np.where(x < low, low, np.where(x > high, high, x)))


_CLIP = ufunc("clip", [f"{c}{c}{c}->{c}" for c in _NUMBERS], _bound)


def where(condition, x=None, y=None):
    missing = (x is None, y is None).count(True)
    if missing == 1:
        raise ValueError("Must provide both 'x' and 'y' or neither.")
    if not isinstance(condition, Storage):
        raise TypeError(f"Unsupported type {type(condition)}")
    if missing:
        return condition.nonzero()
    return _WHERE(condition.astype("?", copy=False), x, y)


def clip(a, a_min, a_max, out=None):
    if not isinstance(a, Storage):
        raise TypeError(f"Unsupported type {type(a)}")
    return clip_method(a, a_min, a_max, out)


def clip_method(self, min=None, max=None, out=None):
    """cupy/_core/_routines_math.pyx, _ndarray_clip: a missing bound is the dtype's lowest or highest number."""
    kind, scalar_type = self.dtype.kind, self.dtype.type
    if kind in "iu":
        lowest, highest = np.iinfo(scalar_type).min, np.iinfo(scalar_type).max
    elif kind == "f":
        lowest, highest = scalar_type("-inf"), scalar_type("inf")
    else:
        lowest = highest = None
    low, high = lowest if min is None else min, highest if max is None else max
    return _CLIP(self, low, high, out=out)
