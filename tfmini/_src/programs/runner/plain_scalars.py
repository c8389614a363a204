"""Prints NumPy scalars in lists and dicts as NumPy 1 did."""

from __future__ import annotations

import numpy as np


def show_plain_scalars() -> None:
    """Makes NumPy show a scalar in a list as 0.5, as it did before its release 2, not as np.float32(0.5)."""
    np.set_printoptions(legacy="1.25")
