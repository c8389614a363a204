"""Validation of the labels, logits and arguments of `tf.estimator.Head`s."""

from __future__ import annotations

from typing import Any

from tfmini._src.base import dtypes
from tfmini._src.base.shapes import dimension_value
from tfmini._src.graph.composite_values import SparseTensor
from tfmini._src.graph.convert_to_tensor import convert_to_tensor_or_sparse_tensor
from tfmini._src.graph.scopes import control_dependencies, name_scope
from tfmini._src.graph.tensor import Tensor
from tfmini._src.models.estimator.heads.checks import match_weights
from tfmini._src.models.feature_column.numeric_columns import NumericColumn
from tfmini._src.models.keras.losses.loss import Reduction
from tfmini._src.ops import ops

NO_LABELS = (
    "You must provide a labels Tensor. Given: None. Suggested troubleshooting steps: Check that your data "
    "contains your label feature. Check that your input_fn properly parses and returns labels."
)


def match_labels(labels: Any, logits: Tensor, dimension: Any) -> Tensor:
    """Returns the labels of shape [..., dimension] for logits [..., n]; adds a last axis to labels of lower rank."""
    if labels is None:
        raise ValueError(NO_LABELS)
    with name_scope(None, "labels", (labels, logits)) as scope:
        labels = convert_to_tensor_or_sparse_tensor(labels)
        if isinstance(labels, SparseTensor):
            raise ValueError(
                "SparseTensor labels are not supported. Labels must be a Tensor of shape "
                f"[D0, D1, ..., DN, {dimension}], e.g. [batch_size, {dimension}].Suggested Fix (1): Check the "
                f"label feature in your data. Each example must contain {dimension} value(s). If not, your "
                "choice of label was probably incorrect. Suggested Fix (2): In your input_fn, use "
                "tf.sparse_tensor_to_dense() to turn labels into a Tensor."
            )
        rank, other = labels.shape.ndims, logits.shape.ndims
        if rank is not None and other is not None and rank == other - 1:
            labels = ops.expand_dims(labels, -1)
        wrong = (
            f"labels shape must be [D0, D1, ... DN, {dimension}]. Suggested Fix: check your n_classes argument "
            "to the head and/or the shape of your label."
        )
        with control_dependencies([ops.assert_rank_at_least(labels, 2, message=wrong)]):
            last = None if labels.shape.ndims is None else dimension_value(labels.shape[-1])
            if last is not None and last != dimension:
                raise ValueError(
                    f"Mismatched label shape. Expected labels dimension={dimension}.  Received {last}. "
                    "Suggested Fix: If your classifier expects one-hot encoding label, check your n_classes "
                    "argument to the estimator and/or the shape of your label. Otherwise, check the shape of "
                    "your label."
                )
            expected = ops.concat([ops.shape(logits)[:-1], [dimension]], axis=0)
            shape = ops.shape(labels)
            data = ["expected_labels_shape: ", expected, "labels_shape: ", shape]
            equal = ops.assert_equal(expected, shape, message=wrong, data=data)
            with control_dependencies([equal]):
                return ops.identity(labels, name=scope)


def validate_logits(logits: Any, dimension: Any) -> Tensor:
    """Returns logits [..., dimension] as float32; raises ValueError for another last dimension."""
    wrong = "logits shape must be [D0, D1, ... DN, logits_dimension]"
    with name_scope(None, "logits", (logits,)) as scope:
        logits = ops.cast(logits, dtypes.float32)
        shape = ops.shape(logits)
        rank = ops.assert_rank_at_least(logits, 2, data=[shape], message=wrong)
        with control_dependencies([rank]):
            static = logits.shape
            if static.ndims is not None:
                last = dimension_value(static[-1])
                if isinstance(dimension, int) and last is not None and last != dimension:
                    raise ValueError(f"{wrong}, got {static}.")
                return logits
            equal = ops.assert_equal(dimension, shape[-1], data=[shape], message=wrong)
            with control_dependencies([equal]):
                return ops.identity(logits, name=scope)


def example_weights(features: Any, column: Any, logits: Tensor, for_each_logit: bool) -> Any:
    """Returns the example weights, [..., 1] or [..., n] for logits [..., n]; 1.0 without a weight column."""
    if column is not None and not isinstance(column, (str, NumericColumn)):
        raise TypeError(
            f"Weight column must be either a string or NumericColumn. Given type: {type(column)}."
        )
    return match_weights(features, column, logits, for_each_logit)


def in_range(labels: Tensor, n_classes: Any, message: str | None = None) -> Tensor:
    """Returns the labels, checked at run time to be in [0, n_classes)."""
    with name_scope(None, "check_label_range", (labels,)):
        largest = ops.convert_to_tensor(n_classes - 1, dtype=labels.dtype)
        upper_check = ops.assert_less_equal(
            labels, largest, message=message or "Labels must be <= n_classes - 1"
        )
        above = ops.assert_non_negative(labels, message=message or "Labels must be >= 0")
        with control_dependencies((upper_check, above)):
            return ops.identity(labels)


def check_reduction(loss_reduction: str) -> None:
    """Raises ValueError unless the reduction yields a scalar."""
    if loss_reduction not in Reduction.all() or loss_reduction == Reduction.NONE:
        raise ValueError(
            f"Invalid loss_reduction: {loss_reduction}. See `tf.losses.Reduction` for valid options."
        )


def choose_keys(keys: Any, valid: list[str]) -> Any:
    """Returns the requested prediction keys, by default all; raises ValueError for an unknown key."""
    for key in keys or ():
        if key not in valid:
            raise ValueError(
                f"Prediction key must be in PredictionKeys, given: {key}.Valid prediction keys include {valid}."
            )
    return keys or valid


def check_list(name: str, value: Any) -> None:
    """Raises ValueError unless the value is a list or tuple."""
    if not isinstance(value, (list, tuple)):
        raise ValueError(f"{name} should be a list or a tuple. Given type: {type(value)}.")
