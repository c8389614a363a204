"""Displays NumPy scalars in lists and dicts like NumPy 1."""

from __future__ import annotations

import numpy as np


def show_plain_scalars() -> None:
    """Makes NumPy display a scalar in a list as 0.5, as before NumPy 2, instead of np.float32(0.5)."""
    np.set_printoptions(legacy="1.25")
