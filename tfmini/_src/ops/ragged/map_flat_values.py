"""Application of functions of dense tensors to the flat values of ragged tensors."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from tfmini._src.graph.scopes import control_dependencies
from tfmini._src.ops import ops
from tfmini._src.ops.ragged.ragged_tensor import RaggedTensor
from tfmini._src.ops.ragged.row_partition import is_ragged, splits_match


def map_flat_values(op: Callable[..., Any], *args: Any, **kwargs: Any) -> Any:
    """Applies a function to the flat values of ragged tensors, preserving the rows.

    Args:
      op: a function that preserves the size of the first dimension, such as `tf.add`.
      *args: its arguments, in which ragged tensors (also in lists, tuples and dicts) are replaced by their flat values.
      **kwargs: its keyword arguments, treated in the same way.

    Returns:
      A RaggedTensor, or the result of `op` if no argument is ragged.

    Raises:
      ValueError: if the numbers of ragged dimensions, or the dtypes of the row splits, differ.
      InvalidArgumentError (when run): if rows differ.

    Example: `tf.ragged.map_flat_values(tf.square, tf.ragged.constant([[1, 2], [3]]))` is [[1, 4], [9]].
    """
    nested_splits: list[Any] = []
    inner_args, inner_kwargs = (
        _replace_ragged(args, nested_splits),
        _replace_ragged(kwargs, nested_splits),
    )
    if not nested_splits:
        return op(*args, **kwargs)
    if len({splits[0].dtype for splits in nested_splits}) > 1:
        raise ValueError(
            "Input RaggedTensors have mismatched row_splits dtypes; use RaggedTensor.with_row_splits_dtype() to "
            "convert them to compatible dtypes."
        )
    with control_dependencies(splits_match(nested_splits)):
        values = op(*inner_args, **inner_kwargs)
        return RaggedTensor.from_nested_row_splits(values, nested_splits[0], validate=False)


def _replace_ragged(value: Any, nested_splits: list[Any]) -> Any:
    """Replaces ragged tensors in a structure with their flat values; appends their row splits to `nested_splits`."""
    if is_ragged(value):
        value = ops.tensor_or_ragged(value)
        nested_splits.append(value.nested_row_splits)
        return value.flat_values
    if isinstance(value, list):
        return [_replace_ragged(item, nested_splits) for item in value]
    if isinstance(value, tuple):
        return tuple(_replace_ragged(item, nested_splits) for item in value)
    if isinstance(value, dict):
        return {key: _replace_ragged(item, nested_splits) for key, item in value.items()}
    return value
