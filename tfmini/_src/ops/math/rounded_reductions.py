"""Sums and products of float16 and bfloat16 on the CPU, each partial result rounded in the order of TensorFlow's loops.

The order decides the result: 300 ones in bfloat16 add up to 256 one by one.
"""

from __future__ import annotations

import math
from itertools import groupby

import numpy as np

# Rows longer than this many lanes are halved; float16 has eight lanes, bfloat16 one.
_LEAF = 1024
_LANES = {"e": 8}


def rounded(fold: np.ufunc, x: np.ndarray, axes: tuple[int, ...]) -> np.ndarray:
    """`x` folded by addition or multiplication over some axes, which are dropped.

    Args:
      fold: numpy's `add` or `multiply`.
      x: float16 or bfloat16, of any shape.
      axes: sorted, non-negative.
    """
    result = [size for axis, size in enumerate(x.shape) if axis not in axes]
    longer = [axis for axis, size in enumerate(x.shape) if size != 1]
    x = x.reshape([x.shape[axis] for axis in longer])
    is_folded = [axis in axes for axis in longer]
    kept = [axis for axis, folded in enumerate(is_folded) if not folded]
    axes = tuple([axis for axis, folded in enumerate(is_folded) if folded])
    count, size = (math.prod([x.shape[axis] for axis in several]) for several in (kept, axes))
    pattern = [folded for folded, _ in groupby(is_folded)]
    if pattern == [True, False, True]:  # the last axes change slowest
        axes = (*[a for a in axes if a > kept[0]], *[a for a in axes if a < kept[0]])
    elif pattern not in ([True, False], [False, True, False]):
        rows = x.transpose(*kept, *axes).reshape(count, size)
        return _rows(fold, rows).reshape(result)
    return _steps(fold, x.transpose(*axes, *kept).reshape(size, count)).reshape(result)


def _steps(fold: np.ufunc, x: np.ndarray) -> np.ndarray:
    """Folds the first axis, element by element."""
    start = x.dtype.type(fold.identity)
    if not x.size:
        return np.full(x.shape[1:], start)
    if x[0].size > 1:
        return fold(fold.reduce(np.ascontiguousarray(x), axis=0), start)
    vector = x.reshape(-1)
    if x.dtype.char == "e":  # numpy's sum of a vector would be rounded once
        folded = fold.reduce(np.repeat(vector, 2).reshape(-1, 2), axis=0)[0]
    else:
        folded = fold.reduce(vector)
    return np.full(x.shape[1:], fold(folded, start))


def _rows(fold: np.ufunc, x: np.ndarray) -> np.ndarray:
    """Folds each row: eight columns at once in float16, then these, then what is left."""
    lanes = _LANES.get(x.dtype.char, 1)
    count, size = x.shape
    if size > lanes * _LEAF:
        half = size // 2 if lanes == 1 else -(-size // (2 * lanes)) * lanes
        return fold(_rows(fold, x[:, :half]), _rows(fold, x[:, half:]))
    if lanes == 1:
        return _steps(fold, x.T)
    whole = size // lanes * lanes
    packed = _steps(fold, x[:, :whole].reshape(count, -1, lanes).swapaxes(0, 1)).astype("f")
    for width in (4, 2, 1):
        packed = fold(packed[:, :width], packed[:, width:])
    return fold(_steps(fold, x[:, whole:].T), packed[:, 0].astype(x.dtype))
