"""Sampling from logits and probabilities, for helpers."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from tfmini._src.base import dtypes
from tfmini._src.graph.scopes import name_scope
from tfmini._src.graph.tensor import Tensor
from tfmini._src.ops import ops


def _draw_shaped(draw: Callable, sample_shape: Any) -> Tensor:
    """Returns samples reshaped to [*sample_shape, ...]; `draw` returns a given number of samples."""
    with name_scope(None, "call_sampler", values=[sample_shape]):
        shape = ops.convert_to_tensor(sample_shape, dtype=dtypes.int32, name="sample_shape")
        pad = ops.cast(ops.equal(ops.rank(shape), 0), dtypes.int32)
        shape = ops.reshape(
            shape, ops.pad(ops.shape(shape), paddings=[[pad, 0]], constant_values=1)
        )
        samples = draw(ops.reduce_prod(shape))
        return ops.reshape(samples, ops.concat([shape, ops.shape(samples)[1:]], 0))


def draw_bernoulli(probs: Any, dtype: Any, sample_shape: Any, seed: Any) -> Tensor:
    """Draws Bernoulli samples of `dtype` with probabilities `probs`: [*sample_shape, *shape of probs]."""
    probs = ops.convert_to_tensor(probs, name="probs")
    batch_shape = ops.shape(probs)

    def draw(count: Tensor) -> Tensor:
        shape = ops.concat([[count], batch_shape], 0)
        uniform = ops.random_uniform(shape, seed=seed, dtype=probs.dtype)
        return ops.cast(ops.less(uniform, probs), dtype)

    return _draw_shaped(draw, sample_shape)


def draw_categories(logits: Any, seed: Any) -> Tensor:
    """Samples classes [...], int32, from the softmax of logits [..., classes]."""
    logits = ops.convert_to_tensor(logits, name="logits")
    classes = ops.shape(logits)[-1]
    batch_shape = ops.shape(logits)[:-1]

    def draw(count: Tensor) -> Tensor:
        matrix = logits if logits.shape.ndims == 2 else ops.reshape(logits, [-1, classes])
        dtype = dtypes.int64 if logits.dtype.size > 4 else dtypes.int32
        draws = ops.multinomial(matrix, count, seed=seed, output_dtype=dtype)
        draws = ops.reshape(ops.transpose(draws), ops.concat([[count], batch_shape], 0))
        return ops.cast(draws, dtypes.int32)

    return _draw_shaped(draw, ())
