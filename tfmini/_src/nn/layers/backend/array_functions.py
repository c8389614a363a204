"""Functions that rearrange tensors, with Keras's names and defaults."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from tfmini._src.graph.tensor import Tensor, TensorLike
from tfmini._src.nn.layers.backend.tensor_values import (
    int_shape,
    is_sparse,
    ndim,
    to_dense,
)
from tfmini._src.ops import ops
from tfmini._src.variables.variable import Variable


def shape(x: TensorLike) -> Any:
    """Returns the shape of `x` as an int32 tensor."""
    return ops.shape(x)


def transpose(x: TensorLike) -> Any:
    """Reverses the axes of `x`."""
    return ops.transpose(x)


def gather(reference: TensorLike, indices: TensorLike) -> Any:
    """Gathers the rows of `reference` at `indices`."""
    return ops.gather(reference, indices)


def concatenate(tensors: Sequence[Any], axis: int = -1) -> Any:
    """Concatenates tensors along `axis`; the result is sparse if all of them are."""
    if axis < 0:
        rank = ndim(tensors[0])
        axis = axis % rank if rank else 0
    if all(is_sparse(x) for x in tensors):
        return ops.sparse_concat(axis, tensors)
    return ops.concat([to_dense(x) for x in tensors], axis)


def reshape(x: TensorLike, shape: TensorLike) -> Any:
    """Reshapes `x`."""
    return ops.reshape(x, shape)


def permute_dimensions(x: TensorLike, pattern: TensorLike) -> Any:
    """Permutes the axes of `x`."""
    return ops.transpose(x, perm=pattern)


def repeat_elements(x: Any, rep: int, axis: int) -> Any:
    """Repeats each element along `axis` `rep` times."""
    sizes = x.shape.as_list()
    if sizes[axis] is not None:
        parts = ops.split(value=x, num_or_size_splits=sizes[axis], axis=axis)
        return concatenate([part for part in parts for _ in range(rep)], axis)
    auxiliary = axis + 1
    sizes_now = ops.shape(x)
    repeated = ops.expand_dims(x, axis=auxiliary)
    counts = np.ones(len(x.shape) + 1)
    counts[auxiliary] = rep
    repeated = ops.tile(repeated, counts)
    counts = np.delete(counts, auxiliary)
    counts[axis] = rep
    sizes_now *= ops.constant(counts, dtype="int32")
    repeated = ops.reshape(repeated, sizes_now)
    repeated.set_shape(sizes)
    repeated._keras_shape = tuple(sizes)
    return repeated


def repeat(x: TensorLike, n: int) -> Any:
    """Repeats `x` [batch, size] to [batch, n, size]."""
    assert ndim(x) == 2
    x = ops.expand_dims(x, 1)
    return ops.tile(x, ops.stack([1, n, 1]))


def arange(start: Any, stop: Any = None, step: TensorLike = 1, dtype: str = "int32") -> Any:
    """Returns the numbers from `start` up to, but not including, `stop`; a single argument is the stop."""
    if stop is None and start < 0:
        start = 0
    result = ops.range(start, limit=stop, delta=step, name="arange")
    return result if dtype == "int32" else ops.cast(result, dtype)


def tile(x: TensorLike, n: TensorLike) -> Any:
    """Repeats `x` `n` times along each axis."""
    return ops.tile(x, [n] if isinstance(n, int) else n)


def flatten(x: TensorLike) -> Any:
    """Flattens `x` to a vector."""
    return ops.reshape(x, [-1])


def batch_flatten(x: TensorLike) -> Any:
    """Flattens `x` to [batch, elements]."""
    return ops.reshape(x, ops.stack([-1, ops.reduce_prod(ops.shape(x)[1:], None, False)]))


def expand_dims(x: TensorLike, axis: int = -1) -> Any:
    """Inserts an axis of size 1."""
    return ops.expand_dims(x, axis)


def squeeze(x: TensorLike, axis: int) -> Any:
    """Removes `axis`, which must have size 1."""
    return ops.squeeze(x, [axis])


def stack(x: TensorLike, axis: int = 0) -> Any:
    """Stacks tensors of the same shape along a new axis."""
    return ops.stack(x, axis=axis)


def one_hot(indices: TensorLike, num_classes: int) -> Any:
    """Returns one-hot vectors of class indices."""
    return ops.one_hot(indices, depth=num_classes, axis=-1)


def reverse(x: TensorLike, axes: TensorLike) -> Any:
    """Reverses `x` along `axes`."""
    return ops.reverse(x, [axes] if isinstance(axes, int) else axes)


def dot(x: TensorLike, y: TensorLike) -> Any:
    """Computes the dot product over the last axis of `x` and the second-to-last axis of `y`; `x` may be sparse."""
    if ndim(x) is not None and (ndim(x) > 2 or ndim(y) > 2):  # type: ignore[operator]
        x_sizes, y_sizes = _dimension_sizes(x), _dimension_sizes(y)
        order = list(range(len(y_sizes)))
        order = [order.pop(-2), *order]
        rows = ops.reshape(x, [-1, x_sizes[-1]])
        columns = ops.reshape(ops.transpose(y, perm=order), [y_sizes[-2], -1])
        sizes = x_sizes[:-1] + y_sizes[:-2] + y_sizes[-1:]
        return ops.reshape(ops.matmul(rows, columns), sizes)
    return ops.sparse_tensor_dense_matmul(x, y) if is_sparse(x) else ops.matmul(x, y)


def _dimension_sizes(x: Any) -> tuple:
    """Returns dimension sizes: ints if static, else scalar tensors."""
    now = ops.unstack(ops.shape(x))
    return tuple(s if i is None else i for i, s in zip(int_shape(x) or (), now))


def batch_dot(
    x: Tensor | Variable, y: Tensor | Variable, axes: int | Sequence[int] | None = None
) -> Any:
    """Computes the dot product of each batch element over `axes`, one axis of `x` and one of `y`."""
    if isinstance(axes, int):
        axes = (axes, axes)
    x_rank, y_rank = len(x.shape), len(y.shape)
    if axes is None:
        axes = [x_rank - 1, y_rank - 2]
    difference = abs(x_rank - y_rank)
    if x_rank > y_rank:
        y = ops.reshape(y, ops.concat([ops.shape(y), [1] * difference], axis=0))
    elif y_rank > x_rank:
        x = ops.reshape(x, ops.concat([ops.shape(x), [1] * difference], axis=0))
    if len(x.shape) == 2 and len(y.shape) == 2:
        if axes[0] == axes[1]:
            product = ops.reduce_sum(ops.multiply(x, y), axes[0])
        else:
            product = ops.reduce_sum(ops.multiply(ops.transpose(x, [1, 0]), y), axes[1])
    else:
        adjoint_x = axes[0] != len(x.shape) - 1
        adjoint_y = axes[1] == len(y.shape) - 1
        product = ops.matmul(x, y, adjoint_a=adjoint_x, adjoint_b=adjoint_y)
    if difference:
        first = x_rank + y_rank - 3 if x_rank > y_rank else x_rank - 1
        product = ops.squeeze(product, list(range(first, first + difference)))
    return ops.expand_dims(product, 1) if len(product.shape) == 1 else product
