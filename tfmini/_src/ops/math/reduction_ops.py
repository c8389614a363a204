"""Reductions over tensor axes (sums, means, products and extremes): the ops and their gradients."""

from __future__ import annotations

from collections.abc import Callable
from contextlib import suppress
from typing import Any
from weakref import WeakKeyDictionary

import numpy as np

from tfmini._src.base import dtypes
from tfmini._src.base.errors import InvalidArgumentError, invalid
from tfmini._src.graph.default_graph import get_default_graph
from tfmini._src.graph.opdef import OpDef, op, raw
from tfmini._src.graph.scopes import colocate_with, device
from tfmini._src.graph.shape_inference import (
    Dims,
    InferenceError,
    input_value,
    reduce_dims,
    with_rank_at_most,
)
from tfmini._src.graph.static_values import get_static_value
from tfmini._src.graph.tensor import Tensor
from tfmini._src.ops import ops
from tfmini._src.ops.math import reduction_kernels as kernels
from tfmini._src.ops.math.reduction_kernels import Axes
from tfmini._src.ops.operands import INDEX32
from tfmini._src.ops.type_lists import NUMBERS


def _distinct_axes(indices: Any, rank: int) -> Axes:
    """Returns the distinct axes in the second input of a reduction, in ascending order."""
    expected = indices.tolist() if indices.ndim < 2 else indices.ravel().tolist()
    axes = set()
    for axis in expected if indices.ndim else (expected,):
        if not -rank <= axis < rank:
            invalid(
                f"Invalid reduction dimension ({axis} for input with {rank} dimension(s)",
            )
        axes.add(axis % rank)
    return tuple(sorted(axes))


def _reduced_dims(op: Any) -> Dims:
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
    return reduce_dims(dims, axes, keep_dims)


def _reduces_nothing(input: Any, reduction_indices: Any) -> bool:
    """Whether all reduced axes have size 1."""
    shape = np.shape(input)
    return all(shape[axis] == 1 for axis in np.ravel(reduction_indices).tolist())


def _reduction(
    name: str, types: Any, function: Callable, specialize: Callable | None = None
) -> OpDef:
    """Declares a reduction op computed by `function(xp, x, axes, keep_dims)`.

    specialize: returns a faster function for arrays of some shapes, or None.
    """
    if types is None:
        signature, attrs = "input: bool, reduction_indices: Tidx -> output: bool", {}
    else:
        signature, attrs = "input: T, reduction_indices: Tidx -> output: T", {"T": types}

    def kernel(xp, x, indices, *, keep_dims):
        return function(xp, x, _distinct_axes(indices, x.ndim), keep_dims)

    opdef = op(
        name,
        signature,
        static_inputs=("reduction_indices",),
        keep_dims=False,
        **attrs,
        Tidx=INDEX32,
    )(kernel)
    opdef.infer(_reduced_dims)
    opdef.forwards(output="input", view=True, when=_reduces_nothing)

    @opdef.bind
    def _(ctx):
        xp, keep_dims = ctx.xp, ctx.attrs["keep_dims"]
        (dims, *_), indices = ctx.dims, ctx.constants.get("reduction_indices")
        if dims is not None and indices is not None:
            with suppress(InvalidArgumentError):  # the kernel raises it
                fixed_axes = _distinct_axes(indices, len(dims))
                if specialize is not None and None not in dims:
                    char = ctx.attrs["T"].numpy.char
                    if (special := specialize(dims, fixed_axes, char, keep_dims)) is not None:
                        return lambda x, indices: special(x)
                return lambda x, indices: function(xp, x, fixed_axes, keep_dims)
        axes_cache: dict[tuple, Axes] = {}

        def bound(x, indices):
            key = (indices.tobytes(), x.ndim)
            axes = axes_cache.get(key)
            if axes is None:
                axes = axes_cache[key] = _distinct_axes(indices, x.ndim)
            return function(xp, x, axes, keep_dims)

        return bound

    return opdef


sum_op = _reduction("Sum", NUMBERS, kernels.sum_along_axes, kernels.sum_of_shape)
mean_op = _reduction("Mean", NUMBERS, kernels.mean_along_axes, kernels.mean_of_shape)
prod_op = _reduction("Prod", NUMBERS, kernels.product_along_axes)
max_op = _reduction("Max", NUMBERS, kernels.max_along_axes, kernels.max_of_shape)
min_op = _reduction("Min", NUMBERS, kernels.min_along_axes, kernels.min_of_shape)
all_op = _reduction("All", None, kernels.all_along_axes)
any_op = _reduction("Any", None, kernels.any_along_axes)
euclidean_norm_op = _reduction("EuclideanNorm", NUMBERS, kernels.norm_along_axes)
euclidean_norm_op.differentiable = False


def reduced_shape(input_shape: Any, axes: Any) -> Tensor:
    """Returns the shape of a reduction that keeps dimensions, `input_shape` with 1 at `axes`, as an int32 tensor."""
    input_shape = ops.cast(input_shape, dtypes.int32)
    axes = ops.cast(axes, dtypes.int32)
    rank = ops.size(input_shape)
    axes = (axes + rank) % rank
    axes_shape = ops.shape(axes)
    indices = [ops.range(rank), axes]
    return raw.DynamicStitch(indices, [input_shape, ops.fill(axes_shape, 1)])


def _safe_quotient(x: Any, y: Any) -> Any:
    """Returns `x // y` of sizes, with 0 for 0 / 0."""
    return x // raw.Maximum(y, 1)


# graph -> {(shape, axes): (shape with kept axes, repetitions)}; equal pairs share the nodes of the first pair.
_known_shapes: WeakKeyDictionary[Any, dict] = WeakKeyDictionary()


def _sum_gradient(op: Any, grad: Any) -> Tensor:
    """Returns the gradient of a sum: each element receives the gradient of the sum that includes it."""
    x, indices = op.inputs
    dims = x._dims
    axes = None if dims is None else get_static_value(indices)
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
            array = np.array(dims, np.int32)
            array[list(axes)] = 1
            _safe_quotient(dims, tuple(array))
            cache[dims, axes] = (
                tuple(array),
                tuple(np.array(dims, np.int32) // np.maximum(array, 1)),
            )
        kept_dims, repetitions = cache[dims, axes]
        return ops.tile(ops.reshape(grad, kept_dims), repetitions)
    input_shape = ops.shape(x)
    with colocate_with(input_shape):
        kept_shape = reduced_shape(input_shape, indices)
        repetitions = _safe_quotient(input_shape, kept_shape)
    return ops.tile(ops.reshape(grad, kept_shape), repetitions)


@sum_op.gradient
def _(op, grad):
    return _sum_gradient(op, grad), None


@mean_op.gradient
def _(op, grad):
    spread = _sum_gradient(op, grad)
    input_dims, output_dims = op.inputs[0]._dims, op.outputs[0]._dims
    if None not in (input_dims, output_dims) and None not in (*input_dims, *output_dims):
        ratio = np.prod(input_dims) // max(np.prod(output_dims), 1)
        factor = ops.constant(ratio, dtype=spread.dtype)
    else:
        input_shape, output_shape = ops.shape(op.inputs[0]), ops.shape(op.outputs[0])
        factor = _safe_quotient(ops.reduce_prod(input_shape), ops.reduce_prod(output_shape))
    return ops.truediv(spread, ops.cast(factor, spread.dtype)), None


def _extreme_gradient(op: Any, grad: Any) -> tuple:
    """Splits the gradient evenly among equal extremes."""
    x, indices = op.inputs
    kept_shape = reduced_shape(ops.shape(x), indices)
    y = ops.reshape(op.outputs[0], kept_shape)
    grad = ops.reshape(grad, kept_shape)
    mask = ops.cast(ops.equal(y, x), grad.dtype)
    count = ops.reshape(ops.reduce_sum(mask, indices), kept_shape)
    return ops.divide(mask, count) * grad, None


max_op.gradient(_extreme_gradient)
min_op.gradient(_extreme_gradient)


@prod_op.gradient
def _(op, grad):
    """Returns the product of all other elements, those before and those after each element; correct for zeros."""
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
        kept_axes, _ = ops.setdiff1d(ops.range(0, rank), axes)
        permutation = ops.concat([axes, kept_axes], 0)
        count = ops.reduce_prod(ops.gather(input_shape, axes))
        other_count = ops.reduce_prod(ops.gather(input_shape, kept_axes))
    permuted = ops.transpose(x, permutation)
    permuted_shape = ops.shape(permuted)
    columns = ops.reshape(permuted, (count, other_count))
    product_before = ops.cumprod(columns, axis=0, exclusive=True)
    product_after = ops.cumprod(columns, axis=0, exclusive=True, reverse=True)
    product = ops.reshape(ops.conj(product_before) * ops.conj(product_after), permuted_shape)
    result = grad * ops.transpose(product, ops.invert_permutation(permutation))
    return ops.reshape(result, input_shape), None
