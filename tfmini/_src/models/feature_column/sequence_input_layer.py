"""`tf.contrib.feature_column.sequence_input_layer`: concatenated sequence columns in a variable scope."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from tfmini._src.base import dtypes
from tfmini._src.graph.scopes import control_dependencies
from tfmini._src.graph.tensor import Tensor
from tfmini._src.models.feature_column.base_columns import SequenceDenseColumn
from tfmini._src.models.feature_column.column_checks import check_batches, checked_columns
from tfmini._src.models.feature_column.dense_features import equal_lengths
from tfmini._src.models.feature_column.sequence_columns import SequenceNumericColumn
from tfmini._src.models.feature_column.state_manager import ScopeState
from tfmini._src.models.feature_column.transformation_cache import TransformationCache
from tfmini._src.ops import ops
from tfmini._src.variables.variable_scope import variable_scope


def concatenate_context_input(context_input: Any, sequence_input: Any) -> Tensor:
    """Appends a context vector to the input of each step of a recurrent network.

    Args:
      context_input: float32 [batch, d1].
      sequence_input: float32 [batch, steps, d0].

    Returns:
      Tensor float32 [batch, steps, d0 + d1].

    Raises:
      ValueError: if an input has the wrong rank.
      TypeError: if an input has the wrong dtype.
    """
    checks = []
    for name, tensor, rank in (
        ("sequence_input", sequence_input, 3),
        ("context_input", context_input, 2),
    ):
        data, message = [ops.shape(tensor)], f"{name} must have rank {rank}"
        checks.append(ops.assert_rank(tensor, rank, message=message, data=data))
        message = f"{name} must have dtype float32; got {tensor.dtype}."
        checks.append(ops.assert_type(tensor, dtypes.float32, message=message))
    with control_dependencies(checks):
        steps = ops.shape(sequence_input)[1]
        spread = ops.expand_dims(context_input, 1)
        repeated = ops.tile(spread, ops.concat([[1], [steps], [1]], 0))
    return ops.concat([sequence_input, repeated], 2)


def sequence_input_layer(
    features: dict[Any, Any],
    feature_columns: Iterable[Any],
    weight_collections: Any = None,
    trainable: bool = True,
) -> tuple[Tensor, Tensor]:
    """Returns the inputs of a recurrent network: concatenated column outputs per step.

    Args:
      features: a dict from name to SparseTensor [batch, steps].
      feature_columns: sequence columns: `tf.contrib.feature_column.sequence_numeric_column`, or embeddings and
        indicators of sequences. (Use `tf.feature_column.sequence_numeric_column` with
        `tf.keras.experimental.SequenceFeatures` only.)
      weight_collections: keys of collections for embedding variables.
      trainable: whether the variables are trainable.

    Returns:
      (Tensor float32 [batch, steps, sum of widths], lengths int64 [batch]).

    Raises:
      ValueError: for non-sequence columns, or missing features.

    Example:
      rating = tf.contrib.feature_column.sequence_numeric_column("rating")
      inputs, lengths = tf.contrib.feature_column.sequence_input_layer(features, [rating])
      outputs, state = tf.nn.dynamic_rnn(cell, inputs, lengths, dtype=tf.float32)
    """
    columns = checked_columns(feature_columns, "_FeatureColumn")
    for column in columns:
        if type(column) is SequenceNumericColumn:
            raise ValueError(
                f"Items of feature_columns must be a _FeatureColumn. Given (type {type(column)}): {column}."
            )
        if not isinstance(column, SequenceDenseColumn):
            raise ValueError(
                "All feature_columns must be of type _SequenceDenseColumn. You can wrap a "
                "sequence_categorical_column with an embedding_column or indicator_column. Given (type "
                f"{type(column)}): {column}"
            )
    state = ScopeState(weight_collections, trainable)
    with variable_scope(None, default_name="sequence_input_layer", values=features.values()):
        cache, outputs, lengths = TransformationCache(features), [], []
        for column in columns:
            with variable_scope(None, default_name=column.var_scope_name):
                dense, length = column.get_sequence_dense_tensor(cache, state)
                size, shape = column.variable_shape.num_elements(), ops.shape(dense)
                outputs.append(ops.reshape(dense, shape=[shape[0], shape[1], size]))
                lengths.append(length)
        check_batches(outputs, columns)
        check_batches(lengths, columns)
        length = equal_lengths(lengths)
        return ops.concat(outputs, -1), length
