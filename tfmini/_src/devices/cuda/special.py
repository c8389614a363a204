"""Error and gamma functions on a GPU, computed elementwise."""

from __future__ import annotations

from tfmini._src.devices.arrays import ArrayModule
from tfmini._src.devices.cuda.launch import FLOATS, Array, as_contiguous, per_element


def special(xp: ArrayModule, name: str, array: Array) -> Array:
    """Returns the function `name` ("erf", "erfc", "lgamma" or "digamma") of each float32 or float64 element."""
    array = as_contiguous(xp, array)
    result = xp.empty_like(array)
    kernel = f"{name}_{FLOATS[array.dtype.name]}"
    per_element(xp, "special", kernel, array.size, array, result, array.size)
    return result
