"""Small float16 matrix products on the CPU, each product and each sum rounded in the order of TensorFlow's loops."""

from __future__ import annotations

import numpy as np

# Multiplications: more are done in float32, which rounds once and takes a fraction of the time.
_FEW = 1 << 18
_LANES = 8
_LARGE = 20  # from this sum of sizes Eigen multiplies by a vector eight columns at once


def are_few(a: np.ndarray, b: np.ndarray) -> bool:
    """Whether the product of [..., rows, inner] and [..., inner, columns] is rounded step by step."""
    return a.size * b.shape[-1] <= _FEW


def rounded_product(a: np.ndarray, b: np.ndarray) -> np.ndarray:
    """`a @ b` of float16 matrices or batches of them."""
    rows, inner, columns = *a.shape[-2:], b.shape[-1]
    if columns == 1 and rows + inner + columns >= _LARGE and a.strides[-1] == a.itemsize:
        return _rows_times_vector(a * np.swapaxes(b, -1, -2))
    shape = np.broadcast_shapes(a.shape[:-2], b.shape[:-2])
    total = np.zeros((*shape, rows, columns), a.dtype)
    for step in range(inner):
        total += a[..., step : step + 1] * b[..., step : step + 1, :]
    return total


def _rows_times_vector(products: np.ndarray) -> np.ndarray:
    """Sums of rows: eight columns at once, then these, then the columns that are left."""
    whole = products.shape[-1] // _LANES * _LANES
    lanes = np.zeros((*products.shape[:-1], _LANES), products.dtype)
    for start in range(0, whole, _LANES):
        lanes += products[..., start : start + _LANES]
    folded = lanes.astype("f")
    for width in (4, 2, 1):
        folded = folded[..., :width] + folded[..., width:]
    total = folded.astype(products.dtype)
    for column in range(whole, products.shape[-1]):
        total += products[..., column : column + 1]
    return total
