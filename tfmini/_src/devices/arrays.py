"""The array types of kernels: `Array` and `ArrayModule`, from NumPy or a device's array library."""

from __future__ import annotations

from types import ModuleType
from typing import TypeAlias

import numpy as np

# A NumPy array, or a CuPy array with the same methods.
Array: TypeAlias = np.ndarray

# NumPy, CuPy, or a module with their functions.
ArrayModule: TypeAlias = ModuleType
