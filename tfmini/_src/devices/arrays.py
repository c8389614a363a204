"""`Array`: the array type of kernels, a numpy array or a CuPy array with the same methods."""

from __future__ import annotations

from typing import TypeAlias

import numpy as np

Array: TypeAlias = np.ndarray
