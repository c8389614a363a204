"""Reductions: sums, means, products and extremes over some axes of a tensor; the ops and their gradients."""

from __future__ import annotations

from collections.abc import Callable
from functools import lru_cache
from typing import Any
from weakref import WeakKeyDictionary

import numpy as np

from tfmini import dtypes
from tfmini.errors import InvalidArgumentError
from tfmini.graph.default_graph import get_default_graph
from tfmini.graph.inference import (
    Dims,
    InferenceError,
    constant_value,
    input_value,
    reduced,
    with_rank_at_most,
)
from tfmini.graph.opdef import OpDef, op, ops, raw
from tfmini.graph.scopes import colocate_with, device
from tfmini.graph.tensor import Tensor
from tfmini.ops.operands import INDEX32
from tfmini.ops.type_lists import NUMBERS

Axes = tuple[int, ...]


def _axes(indices: Any, rank: int) -> Axes:
    """The axes that the second input of a reduction names, each once, in order."""
    wanted = indices.tolist() if indices.ndim < 2 else indices.ravel().tolist()
    found = set()
    for axis in wanted if indices.ndim else (wanted,):
        if not -rank <= axis < rank:
            raise InvalidArgumentError(
                None,
                None,
                f"Invalid reduction dimension ({axis} for input with {rank} dimension(s)",
            )
        found.add(axis % rank)
    return tuple(sorted(found))


def _shape(op: Any) -> Dims:
    """The shape rule of all reductions."""
    dims = op.inputs[0]._dims
    with_rank_at_most(op.inputs[1]._dims, 1)
    keep_dims = op.attrs["keep_dims"]
    indices = input_value(op, 1)
    if dims is None:
        return None
    if indices is None:
        return (None,) * len(dims) if keep_dims else None
    axes = []
    for axis in np.ravel(indices).tolist():
        if not -len(dims) <= axis < len(dims):
            raise InferenceError(
                f"Invalid reduction dimension {axis} for input with {len(dims)} dimensions."
            )
        axes.append(axis % len(dims))
    return reduced(dims, axes, keep_dims)


def _reduction(name: str, types: Any, function: Callable) -> OpDef:
    """Declares a reduction that `function(xp, x, axes, keep_dims)` computes."""
    if types is None:
        signature, attrs = "input: bool, reduction_indices: Tidx -> output: bool", {}
    else:
        signature, attrs = "input: T, reduction_indices: Tidx -> output: T", {"T": types}

    def kernel(xp, x, indices, *, keep_dims):
        return function(xp, x, _axes(indices, x.ndim), keep_dims)

    declared = op(
        name, signature, host=("reduction_indices",), keep_dims=False, **attrs, Tidx=INDEX32
    )(kernel)
    declared.infer(_shape)

    @declared.bind
    def _(ctx):
        xp, keep_dims = ctx.xp, ctx.attrs["keep_dims"]
        known: dict[tuple, Axes] = {}

        def bound(x, indices):
            key = (indices.tobytes(), x.ndim)
            axes = known.get(key)
            if axes is None:
                axes = known[key] = _axes(indices, x.ndim)
            return function(xp, x, axes, keep_dims)

        return bound

    return declared


# The longest vector of ones that is kept for sums by BLAS.
_LONGEST = 1 << 18


@lru_cache(maxsize=64)
def _ones(count: int, kind: str) -> np.ndarray:
    ones = np.ones(count, kind)
    ones.flags.writeable = False
    return ones


def _sum(xp: Any, x: Any, axes: Axes, keep_dims: bool) -> Any:
    kind = x.dtype.char
    if kind in "fd" and xp is np and axes and x.ndim > 1 and x.flags.c_contiguous and x.size:
        total = _sum_by_blas(x, axes)
        if total is not None:
            return total.reshape(_kept(x.shape, axes)) if keep_dims else total
    if x.dtype.itemsize == 2 and kind not in "hH":  # float16, bfloat16
        return xp.add.reduce(x.astype("f"), axis=axes, keepdims=keep_dims).astype(x.dtype)
    return xp.add.reduce(x, axis=axes, dtype=x.dtype, keepdims=keep_dims)


def _sum_by_blas(x: np.ndarray, axes: Axes) -> Any:
    """The sum over the first or the last axes as a product with ones, which is several times faster; else None."""
    shape, rank, count = x.shape, x.ndim, len(axes)
    if axes[-1] == count - 1:  # the first ones
        if count == rank:
            return _sum_of_all(x) if x.size >= 4096 else None
        rest = shape[count:]
        columns = int(np.prod(rest)) if len(rest) > 1 else rest[0]
        rows = x.size // columns
        if rows > _LONGEST:
            return None
        total = _ones(rows, x.dtype.char) @ x.reshape(rows, columns)
        return total.reshape(rest) if len(rest) > 1 else total
    if axes[0] == rank - count:  # the last ones
        rest = shape[:-count]
        rows = int(np.prod(rest)) if len(rest) > 1 else rest[0]
        columns = x.size // rows
        if columns > _LONGEST:
            return None
        total = x.reshape(rows, columns) @ _ones(columns, x.dtype.char)
        return total.reshape(rest) if len(rest) > 1 else total
    return None


def _sum_of_all(x: np.ndarray) -> Any:
    flat = x.reshape(-1)
    whole = flat.size // 1024 * 1024
    total = np.add.reduce(flat[:whole].reshape(-1, 1024) @ _ones(1024, x.dtype.char))
    return total + np.add.reduce(flat[whole:]) if whole < flat.size else total


def _kept(shape: tuple, axes: Axes) -> tuple:
    return tuple(1 if i in axes else d for i, d in enumerate(shape))


def _count(shape: tuple, axes: Axes) -> int:
    count = 1
    for axis in axes:
        count *= shape[axis]
    return count


def _unreduced(x: Any, axes: Axes, keep_dims: bool) -> Any:
    """`x` itself without the axes of size 1 that are reduced."""
    if keep_dims or not axes:
        return x.copy()
    return x.reshape([d for i, d in enumerate(x.shape) if i not in axes]).copy()


def _mean(xp: Any, x: Any, axes: Axes, keep_dims: bool) -> Any:
    total = _sum(xp, x, axes, keep_dims)
    count = _count(x.shape, axes)
    if x.dtype.kind not in "iu":
        return xp.divide(total, x.dtype.type(count))
    if not count:
        return total
    wide = total.astype("i8")
    return xp.floor_divide(xp.subtract(wide, xp.fmod(wide, count)), count).astype(x.dtype)


def _product(xp: Any, x: Any, axes: Axes, keep_dims: bool) -> Any:
    return xp.multiply.reduce(x, axis=axes, dtype=x.dtype, keepdims=keep_dims)


def _extreme(xp: Any, x: Any, axes: Axes, keep_dims: bool, largest: bool) -> Any:
    """NaN counts for nothing; of nothing the result is the lowest (highest) number there is."""
    if _count(x.shape, axes) == 1:
        return _unreduced(x, axes, keep_dims)
    if x.dtype.kind in "iu":
        info = np.iinfo(x.dtype)
        reduce, start = (
            (xp.maximum.reduce, info.min) if largest else (xp.minimum.reduce, info.max)
        )
    else:
        reduce, start = (
            (xp.fmax.reduce, -np.inf) if largest else (xp.fmin.reduce, np.inf)
        )
    return reduce(x, axis=axes, keepdims=keep_dims, initial=start)


def _max(xp: Any, x: Any, axes: Axes, keep_dims: bool) -> Any:
    return _extreme(xp, x, axes, keep_dims, True)


def _min(xp: Any, x: Any, axes: Axes, keep_dims: bool) -> Any:
    return _extreme(xp, x, axes, keep_dims, False)


def _all(xp: Any, x: Any, axes: Axes, keep_dims: bool) -> Any:
    return x.all(axis=axes, keepdims=keep_dims)


def _any(xp: Any, x: Any, axes: Axes, keep_dims: bool) -> Any:
    return x.any(axis=axes, keepdims=keep_dims)


def _norm(xp: Any, x: Any, axes: Axes, keep_dims: bool) -> Any:
    if _count(x.shape, axes) == 1:
        return _unreduced(x, axes, keep_dims)
    squares = xp.multiply(x, xp.conjugate(x))
    return xp.sqrt(_sum(xp, squares, axes, keep_dims)).astype(x.dtype)


sum_op = _reduction("Sum", NUMBERS, _sum)
mean_op = _reduction("Mean", NUMBERS, _mean)
prod_op = _reduction("Prod", NUMBERS, _product)
max_op = _reduction("Max", NUMBERS, _max)
min_op = _reduction("Min", NUMBERS, _min)
all_op = _reduction("All", None, _all)
any_op = _reduction("Any", None, _any)
euclidean_norm_op = _reduction("EuclideanNorm", NUMBERS, _norm)
euclidean_norm_op.not_differentiable()


def reduced_shape(input_shape: Any, axes: Any) -> Tensor:
    """The shape that a reduction with kept dimensions has: `input_shape` with 1 at `axes`, as an int32 tensor."""
    input_shape = ops.cast(input_shape, dtypes.int32)
    axes = ops.cast(axes, dtypes.int32)
    rank = ops.size(input_shape)
    axes = (axes + rank) % rank
    axes_shape = ops.shape(axes)
    indices = [ops.range(rank), axes]
    return raw.DynamicStitch(indices, [input_shape, ops.fill(axes_shape, 1)])


def _safe_quotient(x: Any, y: Any) -> Any:
    """`x // y` of sizes, 0 for 0 / 0."""
    return x // raw.Maximum(y, 1)


# graph -> {(shape, axes): (kept shape, repetitions)}; only the first of equal pairs adds the nodes.
_known_shapes: WeakKeyDictionary[Any, dict] = WeakKeyDictionary()


def _spread(op: Any, grad: Any) -> Tensor:
    """The gradient of a sum: each element's is that of the sum it went into."""
    x, indices = op.inputs
    dims = x._dims
    axes = None if dims is None else constant_value(indices)
    if axes is not None and np.array_equal(axes, np.arange(len(dims))):
        grad = ops.reshape(grad, [1] * len(dims))
        if None in dims:
            return ops.tile(grad, ops.shape(x))
        return ops.tile(grad, ops.constant(dims, dtype=dtypes.int32))
    if axes is not None and None not in dims:
        axes = tuple(np.reshape(axes, -1))
        cache = _known_shapes.setdefault(get_default_graph(), {})
        if (dims, axes) not in cache:
            reduced_shape(dims, axes)
            kept = np.array(dims, np.int32)
            kept[list(axes)] = 1
            _safe_quotient(dims, tuple(kept))
            cache[dims, axes] = tuple(kept), tuple(np.array(dims, np.int32) // np.maximum(kept, 1))
        kept_dims, repetitions = cache[dims, axes]
        return ops.tile(ops.reshape(grad, kept_dims), repetitions)
    input_shape = ops.shape(x)
    with colocate_with(input_shape):
        kept_shape = reduced_shape(input_shape, indices)
        repetitions = _safe_quotient(input_shape, kept_shape)
    return ops.tile(ops.reshape(grad, kept_shape), repetitions)


@sum_op.gradient
def _(op, grad):
    return _spread(op, grad), None


@mean_op.gradient
def _(op, grad):
    spread = _spread(op, grad)
    input_dims, output_dims = op.inputs[0]._dims, op.outputs[0]._dims
    if None not in (input_dims, output_dims) and None not in (*input_dims, *output_dims):
        ratio = np.prod(input_dims) // max(np.prod(output_dims), 1)
        factor = ops.constant(ratio, dtype=spread.dtype)
    else:
        input_shape, output_shape = ops.shape(op.inputs[0]), ops.shape(op.outputs[0])
        factor = _safe_quotient(ops.reduce_prod(input_shape), ops.reduce_prod(output_shape))
    return ops.truediv(spread, ops.cast(factor, spread.dtype)), None


def _extreme_gradient(op: Any, grad: Any) -> tuple:
    """Equal extremes share the gradient."""
    x, indices = op.inputs
    kept_shape = reduced_shape(ops.shape(x), indices)
    y = ops.reshape(op.outputs[0], kept_shape)
    grad = ops.reshape(grad, kept_shape)
    chosen = ops.cast(ops.equal(y, x), grad.dtype)
    count = ops.reshape(ops.reduce_sum(chosen, indices), kept_shape)
    return ops.divide(chosen, count) * grad, None


max_op.gradient(_extreme_gradient)
min_op.gradient(_extreme_gradient)


@prod_op.gradient
def _(op, grad):
    """The product of all others, which is right for zeros too: of those before and those after each element."""
    x = op.inputs[0]
    input_shape = ops.shape(x)
    indices = ops.reshape(op.inputs[1], [-1])
    kept_shape = reduced_shape(input_shape, op.inputs[1])
    repetitions = _safe_quotient(input_shape, kept_shape)
    grad = ops.tile(ops.reshape(grad, kept_shape), repetitions)
    with device("/cpu:0"):
        rank = ops.rank(x)
        indices = (indices + rank) % rank
        axes = ops.cast(indices, dtypes.int32)
        others, _ = ops.setdiff1d(ops.range(0, rank), axes)
        permutation = ops.concat([axes, others], 0)
        count = ops.reduce_prod(ops.gather(input_shape, axes))
        other_count = ops.reduce_prod(ops.gather(input_shape, others))
    permuted = ops.transpose(x, permutation)
    permuted_shape = ops.shape(permuted)
    columns = ops.reshape(permuted, (count, other_count))
    before = ops.cumprod(columns, axis=0, exclusive=True)
    after = ops.cumprod(columns, axis=0, exclusive=True, reverse=True)
    product = ops.reshape(ops.conj(before) * ops.conj(after), permuted_shape)
    result = grad * ops.transpose(product, ops.invert_permutation(permutation))
    return ops.reshape(result, input_shape), None
