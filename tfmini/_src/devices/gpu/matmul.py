"""Products of matrices in kernels that are written for numpy and CuPy alike.

CuPy's own go through a handle whose stream cannot be set while work is recorded (cupy_backends/cuda/libs/cublas.pyx,
setStream), so that no step with one of them would be captured.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from tfmini._src.devices.gpu.device import gpu_in_use


def matmul(xp: Any, a: Any, b: Any, out: Any = None) -> Any:
    """`xp.matmul(a, b, out)`, on a GPU by its own handle of cuBLAS."""
    gpu = None if xp is np else gpu_in_use()
    if gpu is None or a.ndim < 2 or b.ndim < 2 or a.dtype != b.dtype:
        return xp.matmul(a, b) if out is None else xp.matmul(a, b, out=out)
    if a.shape[-1] != b.shape[-2]:
        raise ValueError(f"matmul: shapes {a.shape} and {b.shape} do not fit")
    if a.shape[:-2] != b.shape[:-2]:
        batch = np.broadcast_shapes(a.shape[:-2], b.shape[:-2])
        a, b = (xp.broadcast_to(m, (*batch, *m.shape[-2:])) for m in (a, b))
    (a, transpose_a), (b, transpose_b) = _as_stored(a), _as_stored(b)
    result = gpu.product(a, b, transpose_a, transpose_b, out)
    if out is None or result is out:
        return result
    out[...] = result
    return out


def _as_stored(array: Any) -> tuple[Any, bool]:
    """The array, or for a transposed view what it is a view of: whether it is transposed, cuBLAS is told."""
    if not array.flags.c_contiguous:
        turned = array.swapaxes(-1, -2)
        if turned.flags.c_contiguous:
            return turned, True
    return array, False
