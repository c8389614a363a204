"""`Array`: what kernels compute with, an array of numpy's, or of CuPy's with the same methods."""

from __future__ import annotations

from typing import TypeAlias

import numpy as np

Array: TypeAlias = np.ndarray
