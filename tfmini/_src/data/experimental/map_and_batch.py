"""`tf.data.experimental.map_and_batch`, which maps and batches in one transformation."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from tfmini._src.base.names.deprecation import deprecated
from tfmini._src.base.names.signature import arguments_of
from tfmini._src.data import dataset_nest
from tfmini._src.data.dataset import DatasetV2, Transformation
from tfmini._src.data.function_datasets import FunctionDataset
from tfmini._src.data.unary_datasets import (
    as_bool_tensor,
    int64,
)
from tfmini._src.graph.static_values import get_static_value
from tfmini._src.graph.tensor import TensorLike
from tfmini._src.ops import raw


@deprecated(
    None,
    "Use `tf.data.Dataset.map(map_func, num_parallel_calls)` followed by `tf.data.Dataset.batch(batch_size, "
    "drop_remainder)`. Static tf.data optimizations will take care of using the fused implementation.",
)
def map_and_batch(
    map_func: Callable[..., Any],
    batch_size: TensorLike,
    num_parallel_batches: TensorLike | None = None,
    drop_remainder: TensorLike = False,
    num_parallel_calls: TensorLike | None = None,
) -> Transformation:
    """Maps and batches: `dataset.map(map_func, num_parallel_calls).batch(batch_size, drop_remainder)`.

    Args:
      map_func: as in `Dataset.map`.
      batch_size, drop_remainder: as in `Dataset.batch`.
      num_parallel_batches: number of batches processed in parallel.
      num_parallel_calls: number of elements processed in parallel, instead of batches.

    Returns:
      A transformation for `Dataset.apply`.

    Raises:
      ValueError: if both numbers are given.
    """
    return _transformation(
        map_func, batch_size, num_parallel_batches, drop_remainder, num_parallel_calls
    )


def _transformation(
    map_func: Callable, size: Any, batches: Any, drop_remainder: Any, calls: Any, **options: bool
) -> Transformation:
    if calls is not None and batches is not None:
        raise ValueError(
            "The `num_parallel_batches` and `num_parallel_calls` arguments are mutually exclusive."
        )
    if calls is None:
        calls = size if batches is None else size * batches
    return lambda dataset: _MapAndBatch(dataset, map_func, size, calls, drop_remainder, **options)


@deprecated(None, "Use `tf.data.experimental.map_and_batch()")
@arguments_of(map_and_batch)
def map_and_batch_with_legacy_function(*args: Any) -> Transformation:
    """Same as `map_and_batch`, with a function built by `Defun`, whose conditionals are Switch and Merge nodes.

    Args:
      map_func, batch_size, num_parallel_batches, drop_remainder, num_parallel_calls: as in `map_and_batch`.

    Returns:
      A transformation for `Dataset.apply`.
    """
    return _transformation(*args, use_legacy_function=True)


class _MapAndBatch(FunctionDataset):
    _name = "tf.data.experimental.map_and_batch()"

    def __init__(
        self,
        input_dataset: DatasetV2,
        map_func: Callable,
        batch_size: Any,
        num_parallel_calls: Any,
        drop_remainder: Any,
        use_legacy_function: bool = False,
    ):
        self._build(input_dataset, map_func, use_legacy_function)
        size = int64(batch_size, "batch_size")
        calls = int64(num_parallel_calls, "num_parallel_calls")
        drops_remainder = as_bool_tensor(drop_remainder, "drop_remainder")
        static_size = get_static_value(size) if get_static_value(drops_remainder) else None
        self._spec = dataset_nest.map_structure(lambda leaf: leaf._batch(static_size), self._spec)
        self._add(
            raw.MapAndBatchDataset,
            input_dataset,
            self._captured_inputs(),
            size,
            calls,
            drops_remainder,
            f=self._attr(),
            preserve_cardinality=True,
        )
