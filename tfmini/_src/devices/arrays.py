"""`Array` and `ArrayModule`: the types that kernels compute with, of numpy or of a device's own array library."""

from __future__ import annotations

from types import ModuleType
from typing import TypeAlias

import numpy as np

# A NumPy array, or a CuPy array with the same methods.
Array: TypeAlias = np.ndarray

# NumPy, CuPy, or a module with their functions.
ArrayModule: TypeAlias = ModuleType
