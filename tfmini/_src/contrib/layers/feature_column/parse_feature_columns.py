"""Parsing of sequence examples for feature columns."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from tfmini._src.base import logs
from tfmini._src.contrib.layers.feature_column.feature_column_ops import (
    check_feature_columns,
    create_feature_spec_for_parsing,
)
from tfmini._src.graph.tensor import TensorLike
from tfmini._src.ops import ops
from tfmini._src.ops.parsing.feature_specs import FixedLenSequenceFeature, VarLenFeature
from tfmini._src.ops.parsing.parse_single_sequence_example import parse_single_sequence_example


def parse_feature_columns_from_sequence_examples(
    serialized: TensorLike,
    context_feature_columns: Iterable[Any],
    sequence_feature_columns: Iterable[Any],
    name: str | None = None,
    example_name: TensorLike | None = None,
) -> tuple[dict[Any, Any], dict[Any, Any]]:
    """Parses the features required by columns from a serialized SequenceExample.

    Args:
      serialized: a string, Tensor [].
      context_feature_columns: columns of context features, or None.
      sequence_feature_columns: columns of per-step features, or None.
      example_name: scalar string, for error messages.

    Returns:
      (dict of context tensors by name, dict of sequence tensors by name, with time as first dimension).

    Raises:
      ValueError: for more than one string, or the same column twice.
    """
    try:
        serialized = ops.reshape(serialized, [])
    except ValueError as error:
        raise ValueError(
            "serialized must contain as single sequence example. Batching must be "
            f"done after parsing for sequence examples. Error: {error}"
        ) from error
    context, sequence = context_feature_columns or [], sequence_feature_columns or []
    check_feature_columns(context)
    context_spec = create_feature_spec_for_parsing(context)
    check_feature_columns(sequence)
    sequence_spec = {
        key: _sequence_feature(key, feature)
        for key, feature in create_feature_spec_for_parsing(sequence).items()
    }
    return parse_single_sequence_example(
        serialized, context_spec, sequence_spec, example_name, name
    )


def _sequence_feature(key: str, feature: Any) -> Any:
    if isinstance(feature, VarLenFeature):
        return feature
    has_default = feature.default_value is not None
    if has_default:
        logs.warning(
            f'Found default value {feature.default_value} for feature "{key}". Ignoring this value and '
            "setting `allow_missing=True` instead."
        )
    return FixedLenSequenceFeature(
        shape=feature.shape, dtype=feature.dtype, allow_missing=has_default
    )
