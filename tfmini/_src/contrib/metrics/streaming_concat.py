"""A metric that concatenates the values of all batches."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from tfmini._src.base import dtypes
from tfmini._src.graph.scopes import control_dependencies
from tfmini._src.graph.tensor import Tensor
from tfmini._src.nn.metrics.state import collect, metric_variable
from tfmini._src.ops import ops
from tfmini._src.variables.variable_scope import variable_scope

_GROWTH = 1.5


def _capacity(required: Tensor) -> Tensor:
    """Returns the smallest power of the growth factor that is at least `required`, int32."""
    expected = ops.log(ops.cast(required, dtypes.float32))
    exponent = ops.ceil(expected / ops.log(ops.cast(_GROWTH, dtypes.float32)))
    return ops.cast(ops.ceil(_GROWTH**exponent), dtypes.int32)


def _checked_axis(values: Any, axis: int) -> tuple[int, list[int]]:
    """Returns the non-negative axis, and the static sizes of all other axes."""
    dims = values._dims
    if dims is None:
        raise ValueError("`values` must have known statically known rank")
    if axis < 0:
        axis += len(dims)
    if not 0 <= axis < len(dims):
        raise ValueError(f"axis = {axis!r} not in [0, {len(dims)!r})")
    fixed = [size for dim, size in enumerate(dims) if dim != axis]
    if None in fixed:
        raise ValueError(
            "all dimensions of `values` other than the dimension to concatenate along must have "
            "statically known size"
        )
    return axis, fixed


def streaming_concat(
    values: Tensor,
    axis: int = 0,
    max_size: int | None = None,
    metrics_collections: str | Sequence[str] | None = None,
    updates_collections: str | Sequence[str] | None = None,
    name: str | None = None,
) -> tuple[Tensor, Tensor]:
    """Returns the values of all batches so far, concatenated.

    Args:
      values: a tensor of known rank, with known sizes except along `axis`.
      axis: the axis along which to concatenate.
      max_size: maximum size along `axis`, beyond which values are dropped; by default unlimited, in a variable that
        grows by half when full.
      metrics_collections, updates_collections, name: as in `tf.metrics.mean`.

    Returns:
      The values, and the update op that appends a batch and returns the new size.

    Raises:
      ValueError: for an unknown rank, an axis out of range, or another unknown size.

    Example: `scores, update = tf.contrib.metrics.streaming_concat(logits)`
    """
    with variable_scope(name, "streaming_concat", (values,)):
        axis, fixed = _checked_axis(values, axis)
        rank = len(fixed) + 1
        shape = [0 if max_size is None else max_size, *fixed]
        array = metric_variable(shape, values.dtype, validate_shape=False, name="array")
        size = metric_variable([], dtypes.int32, name="size")
        filled = array[:size]
        filled.set_shape([None, *fixed])
        inverse_permutation = [0 if n == axis else n + 1 if n < axis else n for n in range(rank)]
        value = ops.transpose(filled, inverse_permutation, name="concat")

        count = ops.shape(values)[axis]
        if max_size is not None:
            count = ops.minimum(count, max_size - size)
        to_front = [axis, *(n for n in range(rank) if n != axis)]
        batch = ops.transpose(values, to_front)[:count]

        def reallocate() -> Any:
            larger = ops.zeros(ops.stack([_capacity(total), *fixed]), dtype=values.dtype)
            previous_value = array.value()
            with control_dependencies([previous_value]):
                result = ops.assign(array, larger, validate_shape=False)
            with control_dependencies([result]):
                copied = array[:size].assign(previous_value[:size])
            with control_dependencies([copied]):
                return ops.no_op()

        total = size + count
        capacity = ops.shape_internal(array, optimize=False)[0]
        with control_dependencies([ops.cond(total > capacity, reallocate, ops.no_op)]):
            append_op = array[size:total].assign(batch)
        with control_dependencies([append_op]):
            update = size.assign(total)
        return collect(value, update, metrics_collections, updates_collections)
