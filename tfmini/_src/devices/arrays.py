"""The array types used by kernels: `Array` and `ArrayModule`, from NumPy or the array library of a device."""

from __future__ import annotations

from types import ModuleType
from typing import TypeAlias

import numpy as np

# A NumPy array, or a CuPy array with the same methods.
Array: TypeAlias = np.ndarray

# NumPy, CuPy, or a module with their functions.
ArrayModule: TypeAlias = ModuleType
