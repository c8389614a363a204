"""Reduction kernels: functions `f(xp, x, axes, keep_dims)`, where axes are sorted and non-negative."""

from __future__ import annotations

import math
from collections.abc import Callable
from functools import lru_cache, partial
from typing import Any

import numpy as np

from tfmini._src.devices.cuda.launch import NUMBERS as NUMBERS_ON_GPU, runs_cuda, supports
from tfmini._src.devices.cuda.reductions import column_sums, row_maxima, row_sums
from tfmini._src.devices.host.native import rows as native
from tfmini._src.devices.host.threads import run_slices
from tfmini._src.devices.numpy.min_max import reduce_axes

Axes = tuple[int, ...]

# Rows of integers that are reduced column by column.
_MAX_FOLDED_COLUMNS, _MIN_FOLDED_ELEMENTS = 16, 1 << 10

# On a GPU: the longest row that one block reduces as fast as several, and the row count that saturates the GPU.
_ONE_BLOCK = 8192
_MIN_SATURATING_ROWS = 128

# The longest vector of ones that is cached for sums by BLAS.
_MAX_ONES = 1 << 18
# The element count from which rows are split among threads, and the calling thread's head start in elements.
_MIN_PARALLEL_ELEMENTS = 1 << 20
_HEAD_START = 1 << 19
# For reductions over middle axes: the most elements summed by products with ones, and the fewest per product.
_MAX_PRODUCT_ELEMENTS, _MIN_PRODUCT_ELEMENTS = 1 << 16, 1 << 6
# The fewest elements worth one sum after another over axes that are not adjacent.
_MIN_RUN_ELEMENTS = 1 << 13


@lru_cache(maxsize=64)
def _ones(count: int, dtype: str) -> np.ndarray:
    ones = np.ones(count, dtype)
    ones.flags.writeable = False
    return ones


def sum_along_axes(xp: Any, x: Any, axes: Axes, keep_dims: bool) -> Any:
    code = x.dtype.char
    if not axes and x.ndim:
        return x.copy()
    if 1 in x.shape and axes:
        total = _sum_without_ones(xp, x, axes)
        return total.reshape(
            _keepdims_shape(x.shape, axes) if keep_dims else _reduced_shape(x.shape, axes)
        )
    if code in "fd" and xp is np and axes and x.ndim > 1 and x.flags.c_contiguous and x.size:
        total = _sum_by_blas(x, axes)
        if total is not None:
            return total.reshape(_keepdims_shape(x.shape, axes)) if keep_dims else total
    if xp is not np:
        total = _reduce_in_one_launch(
            xp, x, axes, lambda a: row_sums(xp, a), lambda a: column_sums(xp, a)
        )
        if total is not None:
            return total.reshape(_keepdims_shape(x.shape, axes)) if keep_dims else total
    if x.dtype.itemsize == 2 and code not in "hH":  # float16, bfloat16
        return xp.add.reduce(x.astype("f"), axis=axes, keepdims=keep_dims).astype(x.dtype)
    total = _fold_short_rows(xp, np.add, x, axes, keep_dims)
    if total is not None:
        return total
    return xp.add.reduce(x, axis=axes, dtype=x.dtype, keepdims=keep_dims)


def _fold_short_rows(xp: Any, fold: np.ufunc, x: Any, axes: Axes, keep_dims: bool) -> Any:
    """Reduces short rows of integers or booleans column by column, which takes a tenth of NumPy's time; None for other
    arrays.
    """
    count = _reduced_size(x.shape, axes)
    is_short = 1 < count <= _MAX_FOLDED_COLUMNS and x.size >= _MIN_FOLDED_ELEMENTS
    if xp is not np or not is_short or x.dtype.kind not in "iub" or axes[0] != x.ndim - len(axes):
        return None
    first, *remaining = x.reshape(-1, count).T
    result = first.copy()
    for column in remaining:
        fold(result, column, out=result)
    return result.reshape((_keepdims_shape if keep_dims else _reduced_shape)(x.shape, axes))


def sum_of_shape(
    dims: tuple[int, ...], axes: Axes, char: str, keep_dims: bool
) -> Callable[[Any], Any] | None:
    """Returns a host `sum_along_axes` if the reduced axes are leading, last or the only long ones, else None."""
    count = len(axes)
    if axes and [axis for axis, size in enumerate(dims) if size != 1] in [[axis] for axis in axes]:
        return _vector_sum(dims, axes, char, keep_dims)
    if char not in "fd" or len(dims) < 2 or not axes or min(dims) < 2:
        return None
    kept_dims = _reduced_shape(dims, axes)
    shape = _keepdims_shape(dims, axes) if keep_dims else kept_dims
    total: Callable[[Any], Any]
    if not kept_dims:
        if math.prod(dims) < _MIN_NATIVE_ELEMENTS:
            return None
        total = (lambda x: _sum_of_all(x).reshape(shape)) if keep_dims else _sum_of_all
    elif axes[0] == len(kept_dims):
        total = _trailing_sum(math.prod(kept_dims), math.prod(dims[-count:]), char, shape)
    elif axes[-1] == count - 1 and math.prod(dims[:count]) <= _MAX_ONES:
        columns, ones = math.prod(kept_dims), _ones(math.prod(dims[:count]), char)

        def total(x: Any) -> Any:
            return (ones @ x.reshape(-1, columns)).reshape(shape)

    else:
        return None

    def sum_elements(x: Any) -> Any:
        if x.shape == dims and x.flags.c_contiguous:
            return total(x)
        return sum_along_axes(np, x, axes, keep_dims)

    return sum_elements


_MIN_NATIVE_ELEMENTS = 1 << 12


def _trailing_sum(rows: int, columns: int, char: str, shape: tuple[int, ...]) -> Callable:
    """Returns a kernel for the row sums of a contiguous array, viewed as a matrix of this size."""
    if rows * columns >= _MIN_NATIVE_ELEMENTS:
        return lambda x: _row_sums(x.reshape(rows, columns)).reshape(shape)
    ones = _ones(columns, char)
    return lambda x: np.matmul(x.reshape(rows, columns), ones).reshape(shape)


def _vector_sum(
    dims: tuple[int, ...], axes: Axes, char: str, keep_dims: bool
) -> Callable[[Any], Any] | None:
    if char not in "fdil" or math.prod(dims) >= _MIN_NATIVE_ELEMENTS or len(dims) < 2:
        return None
    shape = _keepdims_shape(dims, axes) if keep_dims else _reduced_shape(dims, axes)

    def total(x: Any) -> Any:
        if x.shape == dims:
            return np.add.reduce(x.reshape(-1), dtype=x.dtype).reshape(shape)
        return sum_along_axes(np, x, axes, keep_dims)

    return total


def _sum_without_ones(xp: Any, x: Any, axes: Axes) -> Any:
    """Sums after dropping size-1 axes, which can make the reduced axes leading or trailing."""
    nontrivial_axes = [i for i, d in enumerate(x.shape) if d != 1]
    remaining_axes = tuple([n for n, i in enumerate(nontrivial_axes) if i in axes])
    return sum_along_axes(
        xp, x.reshape([x.shape[i] for i in nontrivial_axes]), remaining_axes, False
    )


def _reduce_in_one_launch(
    xp: Any, x: Any, axes: Axes, reduce_rows: Callable, reduce_columns: Callable | None
) -> Any:
    """Reduces the trailing or leading axes in one launch, with less overhead than CuPy.

    Returns None if rows are long, which CuPy reduces faster by using several blocks.
    """
    if not runs_cuda(xp) or not axes or not x.size or not supports(x.dtype, NUMBERS_ON_GPU):
        return None
    rank, count = x.ndim, len(axes)
    columns = math.prod(x.shape[axes[0] :])
    if axes[0] == rank - count and (
        columns <= _ONE_BLOCK or x.size // columns >= _MIN_SATURATING_ROWS
    ):
        return reduce_rows(x.reshape(-1, columns)).reshape(x.shape[: axes[0]])
    if axes[-1] == count - 1 and count < rank and reduce_columns is not None:
        return reduce_columns(x.reshape(-1, math.prod(x.shape[count:]))).reshape(x.shape[count:])
    return None


def _sum_by_blas(x: np.ndarray, axes: Axes) -> Any:
    """Sums over the leading or trailing axes as a product with ones, which is several times faster.

    Uses native code for many middle axes; returns None for others.
    """
    shape, rank, count = x.shape, x.ndim, len(axes)
    if axes[-1] == count - 1:  # leading axes
        if count == rank:
            return _sum_of_all(x) if x.size >= 4096 else None
        inner = shape[count:]
        columns = math.prod(inner)
        rows = x.size // columns
        if rows > _MAX_ONES:
            return None
        total = _ones(rows, x.dtype.char) @ x.reshape(rows, columns)
        return total.reshape(inner) if len(inner) > 1 else total
    if axes[0] == rank - count:  # trailing axes
        inner = shape[:-count]
        rows = math.prod(inner)
        columns = x.size // rows
        if columns > _MAX_ONES:
            return None
        total = _row_sums(x.reshape(rows, columns))
        return total.reshape(inner) if len(inner) > 1 else total
    outer = math.prod(shape[: axes[0]])
    if (
        axes[-1] - axes[0] == count - 1
        and x.size <= _MAX_PRODUCT_ELEMENTS
        and x.size >= outer * _MIN_PRODUCT_ELEMENTS
    ):
        reduced = math.prod(shape[axes[0] : axes[-1] + 1])
        total = np.matmul(_ones(reduced, x.dtype.char), x.reshape(outer, reduced, -1))
        return total.reshape(_reduced_shape(shape, axes))
    if axes[-1] - axes[0] > count - 1:
        return _sum_by_runs(x, axes) if x.size >= _MIN_RUN_ELEMENTS else None
    return native.fold_axes("add", x, axes)


def _sum_by_runs(x: np.ndarray, axes: Axes) -> Any:
    """Sums over axes that are not all adjacent, starting with the longest run of adjacent ones."""
    largest = max(_runs(axes), key=lambda run: _reduced_size(x.shape, run))
    other_axes = tuple([axis for axis in axes if axis not in largest])
    total = sum_along_axes(np, sum_along_axes(np, x, largest, True), other_axes, True)
    return total.reshape(_reduced_shape(x.shape, axes))


def _runs(axes: Axes) -> list[Axes]:
    starts = [n for n, axis in enumerate(axes) if n == 0 or axis > axes[n - 1] + 1]
    return [axes[start:end] for start, end in zip(starts, [*starts[1:], len(axes)])]


def _row_sums(matrix: np.ndarray) -> np.ndarray:
    if matrix.shape[1] == 1:
        return matrix[:, 0].copy()
    result = native.row_sums(matrix)
    if result is not None:
        return result
    ones = _ones(matrix.shape[1], matrix.dtype.char)
    if matrix.size < _MIN_PARALLEL_ELEMENTS:
        return matrix @ ones
    total = np.empty(len(matrix), matrix.dtype)

    def work(rows: slice) -> None:
        np.matmul(matrix[rows], ones, out=total[rows])

    run_slices(work, len(matrix), _HEAD_START // matrix.shape[1])
    return total


def _sum_of_all(x: np.ndarray) -> Any:
    flat = x.reshape(-1)
    blocked = flat.size // 1024 * 1024
    total = np.add.reduce(flat[:blocked].reshape(-1, 1024) @ _ones(1024, x.dtype.char))
    return total + np.add.reduce(flat[blocked:]) if blocked < flat.size else total


def _keepdims_shape(shape: tuple, axes: Axes) -> tuple:
    return tuple(1 if i in axes else d for i, d in enumerate(shape))


def _reduced_shape(shape: tuple, axes: Axes) -> tuple:
    return tuple([d for i, d in enumerate(shape) if i not in axes])


def _reduced_size(shape: tuple, axes: Axes) -> int:
    count = 1
    for axis in axes:
        count *= shape[axis]
    return count


def _drop_axes(x: Any, axes: Axes, keep_dims: bool) -> Any:
    """Returns `x` without the reduced axes, all of size 1."""
    if keep_dims or not axes:
        return x.copy()
    return x.reshape(_reduced_shape(x.shape, axes)).copy()


def mean_along_axes(xp: Any, x: Any, axes: Axes, keep_dims: bool) -> Any:
    total = sum_along_axes(xp, x, axes, keep_dims)
    count = _reduced_size(x.shape, axes)
    if not count and x.dtype.char not in "efd":
        return total  # as Eigen's mean of dtypes without infinity: complex numbers and bfloat16 too
    if x.dtype.kind not in "iu":
        return xp.divide(total, x.dtype.type(count))
    return integer_mean(xp, total, count)


def mean_of_shape(
    dims: tuple[int, ...], axes: Axes, char: str, keep_dims: bool
) -> Callable[[Any], Any] | None:
    """Returns a `mean_along_axes` for arrays for which `sum_of_shape` returns a function, else None."""
    total = sum_of_shape(dims, axes, char, keep_dims) if char in "fd" else None
    if total is None:
        return None
    divisor = np.dtype(char).type(_reduced_size(dims, axes))
    return lambda x: total(x) / divisor


def integer_mean(xp: Any, total: Any, count: Any) -> Any:
    """Returns `total / count` in integer arithmetic.

    As in TensorFlow, the count has the dtype of the sum and may overflow; if it overflows to zero, which crashes
    TensorFlow, the correct count is used.
    """
    wide_total, divisor = total.astype("i8"), xp.asarray(count)
    size = divisor.astype(total.dtype).astype("i8")
    size = xp.where(size == 0, divisor, size)
    return xp.floor_divide(xp.subtract(wide_total, xp.fmod(wide_total, size)), size).astype(
        total.dtype
    )


def product_along_axes(xp: Any, x: Any, axes: Axes, keep_dims: bool) -> Any:
    if xp is np and x.dtype.char in "fd" and x.ndim > 1 and axes == (x.ndim - 1,):
        result = native.row_products(x.reshape(-1, x.shape[-1])) if x.size else None
        if result is not None:
            return result.reshape(_keepdims_shape(x.shape, axes) if keep_dims else x.shape[:-1])
    elif xp is np and x.dtype.char in "fd" and x.ndim > 2 and axes:
        result = native.fold_axes("multiply", x, axes)
        if result is not None:
            return result.reshape(_keepdims_shape(x.shape, axes)) if keep_dims else result
    if xp is np and x.dtype.char == "e" and axes and x.size:
        return _round_products(x, axes).reshape(
            _keepdims_shape(x.shape, axes) if keep_dims else _reduced_shape(x.shape, axes)
        )
    product = _fold_short_rows(xp, np.multiply, x, axes, keep_dims)
    if product is not None:
        return product
    return xp.multiply.reduce(x, axis=axes, dtype=x.dtype, keepdims=keep_dims)


def _round_products(x: Any, axes: Axes) -> Any:
    """Returns products of float16 numbers, rounding after each factor, so that they overflow as in TensorFlow."""
    factors = np.moveaxis(x, axes, range(-len(axes), 0)).reshape(-1, _reduced_size(x.shape, axes))
    return np.multiply.accumulate(factors, axis=1)[:, -1]


@lru_cache(maxsize=64)
def _comparison(dtype: np.dtype, largest: bool) -> tuple[str, Any]:
    """Returns the ufunc of an extreme that ignores NaN, and the extreme of zero elements."""
    if dtype.kind in "iu":
        info = np.iinfo(dtype)
        return ("maximum", info.min) if largest else ("minimum", info.max)
    return ("fmax", -np.inf) if largest else ("fmin", np.inf)


def _extreme_of_shape(
    name: str, dims: tuple[int, ...], axes: Axes, char: str, keep_dims: bool
) -> Callable[[Any], Any] | None:
    """Returns an `_extreme` by runs of adjacent axes for small host arrays of a known shape; None for others."""
    if char not in "fd" or not axes or len(axes) == len(dims):
        return None
    if not 0 < math.prod(dims) < _MIN_PARALLEL_EXTREMES or _reduced_size(dims, axes) == 1:
        return None
    reducers = []
    remaining_dims = dims
    for run in reversed(_runs(axes)):
        reduce = native.reducer_of_shape(name, np.dtype(char), remaining_dims, run)
        if reduce is None:
            return None
        reducers.append(reduce)
        remaining_dims = remaining_dims[: run[0]] + remaining_dims[run[-1] + 1 :]
    shape = _keepdims_shape(dims, axes)

    def extreme(x: Any) -> Any:
        reduced: Any = x
        for reduce in reducers:
            reduced = reduce(reduced)
            if reduced is None:
                return _extreme(np, x, axes, keep_dims, name == "fmax")
        return reduced.reshape(shape) if keep_dims else reduced

    return extreme


_MIN_PARALLEL_EXTREMES = 1 << 15  # elements: one thread is as fast
max_of_shape = partial(_extreme_of_shape, "fmax")
min_of_shape = partial(_extreme_of_shape, "fmin")


def _extreme(xp: Any, x: Any, axes: Axes, keep_dims: bool, largest: bool) -> Any:
    """Returns extremes ignoring NaN; for zero elements, the lowest (highest) number of the dtype."""
    if _reduced_size(x.shape, axes) == 1:
        return _drop_axes(x, axes, keep_dims)
    name, limit = _comparison(x.dtype, largest)
    reduce = getattr(xp, name)
    if xp is np:
        return reduce_axes(reduce, x, axes, keep_dims, limit)
    if not x.size:
        shape = _keepdims_shape(x.shape, axes) if keep_dims else _reduced_shape(x.shape, axes)
        return xp.full(shape, limit, x.dtype)
    if x.dtype.kind not in "iu":
        x = reduce(x, x.dtype.type(limit))
    if largest:
        result = _reduce_in_one_launch(xp, x, axes, lambda a: row_maxima(xp, a), None)
        if result is not None:
            return result.reshape(_keepdims_shape(x.shape, axes)) if keep_dims else result
    return (x.max if largest else x.min)(axis=axes, keepdims=keep_dims)


def max_along_axes(xp: Any, x: Any, axes: Axes, keep_dims: bool) -> Any:
    return _extreme(xp, x, axes, keep_dims, True)


def min_along_axes(xp: Any, x: Any, axes: Axes, keep_dims: bool) -> Any:
    return _extreme(xp, x, axes, keep_dims, False)


_EIGHT_TRUE = np.uint64(0x0101010101010101)


def _fold_into_words(xp: Any, x: Any, axes: Axes, fold: np.ufunc) -> Any:
    """Folds rows of booleans eight at a time as uint64 words; None for shapes that numpy reduces as fast."""
    columns = x.shape[-1] if x.ndim else 0
    suits = xp is np and axes == (x.ndim - 1,) and x.flags.c_contiguous
    if not suits or columns % 8 or not 0 < columns <= 128 or x.size < 1 << 12:
        return None
    first, *remaining = x.view(np.uint64).reshape(-1, columns // 8).T
    result = first.copy()
    for words in remaining:
        fold(result, words, out=result)
    return result


def _reshape(rows: Any, x: Any, keep_dims: bool) -> Any:
    return rows.reshape((*x.shape[:-1], 1) if keep_dims else x.shape[:-1])


def all_along_axes(xp: Any, x: Any, axes: Axes, keep_dims: bool) -> Any:
    if xp is np and len(axes) == x.ndim and not keep_dims and x.ndim:
        return np.bool_(np.count_nonzero(x) == x.size)
    words = _fold_into_words(xp, x, axes, np.bitwise_and)
    if words is not None:
        return _reshape(words == _EIGHT_TRUE, x, keep_dims)
    folded = _fold_short_rows(xp, np.logical_and, x, axes, keep_dims)
    return x.all(axis=axes, keepdims=keep_dims) if folded is None else folded


def any_along_axes(xp: Any, x: Any, axes: Axes, keep_dims: bool) -> Any:
    if xp is np and len(axes) == x.ndim and not keep_dims and x.ndim:
        return np.bool_(np.count_nonzero(x) > 0)
    words = _fold_into_words(xp, x, axes, np.bitwise_or)
    if words is not None:
        return _reshape(words != 0, x, keep_dims)
    folded = _fold_short_rows(xp, np.logical_or, x, axes, keep_dims)
    return x.any(axis=axes, keepdims=keep_dims) if folded is None else folded


def norm_along_axes(xp: Any, x: Any, axes: Axes, keep_dims: bool) -> Any:
    if _reduced_size(x.shape, axes) == 1:
        return _drop_axes(x, axes, keep_dims)
    if xp is np and x.dtype.char in "fd" and len(axes) == x.ndim and x.flags.c_contiguous:
        flat = x.reshape(-1)
        return np.sqrt(flat.dot(flat)).reshape((1,) * x.ndim if keep_dims else ())
    squares = xp.multiply(x, xp.conjugate(x)) if x.dtype.kind == "c" else xp.square(x)
    return xp.sqrt(sum_along_axes(xp, squares, axes, keep_dims)).astype(x.dtype)
