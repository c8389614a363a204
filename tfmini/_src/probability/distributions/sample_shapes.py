"""Shapes of samples: the requested shape as a vector, and the static shape of the result."""

from __future__ import annotations

from typing import Any

import numpy as np

from tfmini._src.base import dtypes
from tfmini._src.base.shapes import TensorShape
from tfmini._src.graph.convert_to_tensor import convert_to_tensor
from tfmini._src.graph.scopes import name_scope
from tfmini._src.graph.static_values import get_static_value
from tfmini._src.graph.tensor import Tensor
from tfmini._src.ops import ops


def as_vector(shape: Tensor, name: str) -> tuple[Tensor, Any]:
    """Converts a scalar or vector sample shape to a vector; also returns the number of samples."""
    value = get_static_value(shape)
    if value is None:
        count = ops.reduce_prod(shape)
    else:
        count = np.prod(value, dtype=shape.dtype.as_numpy_dtype())
    rank = shape.get_shape().ndims
    if rank is None:
        is_scalar = ops.equal(ops.rank(shape), 0)
        vector = pick_vector(is_scalar, np.array([1], dtype=np.int32), ops.shape(shape))
        return ops.reshape(shape, vector), count
    if rank == 1:
        return shape, count
    if rank:
        raise ValueError("Input is neither scalar nor vector.")
    if value is None:
        return ops.reshape(shape, [1]), count
    return convert_to_tensor(np.array([value], shape.dtype.as_numpy_dtype()), name=name), count


def pick_vector(
    condition: Any, true_vector: Any, false_vector: Any, name: str = "pick_vector"
) -> Any:
    """Selects one of two vectors, possibly of different lengths, by a bool, statically if it is constant."""
    with name_scope(name, values=(condition, true_vector, false_vector)):
        condition = convert_to_tensor(condition, name="cond")
        if condition.dtype != dtypes.bool:
            raise TypeError(f"{condition}.dtype={condition.dtype} which is not {dtypes.bool}")
        static = get_static_value(condition)
        if static is not None:
            return true_vector if static else false_vector
        true_vector = convert_to_tensor(true_vector, name="true_vector")
        false_vector = convert_to_tensor(false_vector, name="false_vector")
        if true_vector.dtype != false_vector.dtype:
            raise TypeError(
                f"{true_vector}.dtype={true_vector.dtype} does not match "
                f"{false_vector}.dtype={false_vector.dtype}"
            )
        length = ops.shape(true_vector)[0]
        both = ops.concat([true_vector, false_vector], 0)
        begin = [ops.where_v2(condition, 0, length)]
        return ops.slice(both, begin, [ops.where(condition, length, -1)])


def set_static_shape(
    samples: Tensor, sample: Tensor, batch_shape: TensorShape, event_shape: TensorShape
) -> Tensor:
    """Sets the static shape of `samples` as far as it is known: sample shape + batch shape + event shape."""
    sample_shape = TensorShape(get_static_value(sample))
    rank = samples.get_shape().ndims
    sample_rank, batch_rank, event_rank = sample_shape.ndims, batch_shape.ndims, event_shape.ndims
    if rank is None:
        if sample_rank is None or batch_rank is None or event_rank is None:
            return samples
        rank = sample_rank + batch_rank + event_rank
        samples.set_shape([None] * rank)

    def learn(shape: TensorShape) -> None:
        samples.set_shape(samples.get_shape().merge_with(shape))

    if sample_rank is not None:
        learn(sample_shape.concatenate([None] * (rank - sample_rank)))
    if event_rank is not None:
        learn(TensorShape([None] * (rank - event_rank)).concatenate(event_shape))
    if batch_rank is not None:
        if sample_rank is None and event_rank is not None:
            sample_rank = rank - batch_rank - event_rank
        elif event_rank is None and sample_rank is not None:
            event_rank = rank - batch_rank - sample_rank
        if sample_rank is not None and event_rank is not None:
            before = TensorShape([None] * sample_rank).concatenate(batch_shape)
            learn(before.concatenate([None] * event_rank))
    return samples
