"""Validation and reshaping of heads' labels, logits, weights and losses."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

from tfmini._src.base import dtypes
from tfmini._src.base.shapes import dimension_value
from tfmini._src.graph.composite_values import SparseTensor
from tfmini._src.graph.convert_to_tensor import convert_to_tensor_or_sparse_tensor
from tfmini._src.graph.scopes import control_dependencies, name_scope
from tfmini._src.graph.tensor import Tensor
from tfmini._src.models.estimator.fn_args import parameter_names
from tfmini._src.models.feature_column.numeric_columns import (
    NumericColumn,
    numeric_column,
)
from tfmini._src.models.feature_column.transformation_cache import TransformationCache
from tfmini._src.nn.losses.reduction import Reduction
from tfmini._src.ops import ops

NO_LABELS = (
    "You must provide a labels Tensor. Given: None. Suggested troubleshooting steps: Check that your data "
    "contain your label feature. Check that your input_fn properly parses and returns labels."
)


def to_float(x: Any, name: str = "ToFloat") -> Tensor:
    """Casts numbers to float32."""
    return ops.cast(x, dtypes.float32, name=name)


def match_labels(labels: Any, logits: Tensor, dimension: Any) -> Tensor:
    """Returns the labels of shape [..., dimension] for logits [..., n]; adds a last axis to labels of lower rank."""
    if labels is None:
        raise ValueError(NO_LABELS)
    with name_scope(None, "labels", (labels, logits)) as scope:
        labels = convert_to_tensor_or_sparse_tensor(labels)
        if isinstance(labels, SparseTensor):
            raise ValueError(
                "SparseTensor labels are not supported. labels must be a Tensor of shape "
                f"[D0, D1, ..., DN, {dimension}], e.g. [batch_size, {dimension}]. Suggested Fix (1): Check "
                f"the label feature in your data. Each example must contain {dimension} value(s). If not, "
                "your choice of label was probably incorrect. Suggested Fix (2): In your input_fn, use "
                "tf.sparse_tensor_to_dense() to turn labels into a Tensor."
            )
        if _has_one_rank_less(labels, logits):
            labels = ops.expand_dims(labels, -1)
        labels_shape, logits_shape = ops.shape(labels), ops.shape(logits)
        wrong = (
            f"labels shape must be [D0, D1, ... DN, {dimension}]. Suggested Fix: check your n_classes "
            "argument to the estimator and/or the shape of your label."
        )
        with control_dependencies([ops.assert_rank_at_least(labels, 2, message=wrong)]):
            if labels.shape.ndims is not None:
                last = dimension_value(labels.shape[-1])
                if last is not None and last != dimension:
                    raise ValueError(
                        f"Mismatched label shape. Expected labels dimension={dimension}.  Received {last}. "
                        "Suggested Fix:If your classifier expects one-hot encoding label,check your "
                        "n_classes argument to the estimator and/or the shape of your label. Otherwise, "
                        "check the shape of your label."
                    )
            expected = ops.concat([logits_shape[:-1], [dimension]], axis=0)
            equal = ops.assert_equal(
                expected,
                labels_shape,
                message=wrong,
                data=["expected_labels_shape: ", expected, "labels_shape: ", labels_shape],
            )
            with control_dependencies([equal]):
                return ops.identity(labels, name=scope)


def _has_one_rank_less(x: Any, logits: Any) -> bool:
    rank, other = x.shape.ndims, logits.shape.ndims
    return rank is not None and other is not None and rank == other - 1


def match_weights(
    features: dict, weight_column: Any, logits: Tensor, for_each_logit: bool = False
) -> Any:
    """Returns the example weights, [..., 1] or [..., n] for logits [..., n]; 1.0 without a weight column.

    Args:
      features: a dict of features.
      weight_column: feature name, numeric column, or None.
      logits: the logits.
      for_each_logit: whether weights per logit are allowed.

    Raises:
      TypeError: for another kind of column.
      ValueError: if the weights are not numeric.
    """
    shapes = "weights shape must be [D0, D1, ... DN]"
    wrong = f"{shapes} or [D0, D1, ... DN, 1]"
    if for_each_logit:
        wrong = f"{shapes}, [D0, D1, ... DN, 1] or [D0, D1, ... DN, logits_dimension]"
    with name_scope(None, "weights", (*features.values(), logits)) as scope:
        if weight_column is None:
            return 1.0
        if isinstance(weight_column, str):
            weight_column = numeric_column(weight_column, shape=(1,))
        if not isinstance(weight_column, NumericColumn):
            raise TypeError(
                "Weight column must be either a string or _NumericColumn. "
                f"Given type: {type(weight_column)}."
            )
        weights = weight_column.get_dense_tensor(TransformationCache(features), None)
        weights = to_float(weights, name="weights")
        shape, logits_shape = (
            ops.shape(weights, name="weights_shape"),
            ops.shape(logits, name="logits_shape"),
        )
        data = ["logits_shape: ", logits_shape, "weights_shape: ", shape]
        if _has_one_rank_less(weights, logits):
            equal = ops.assert_equal(logits_shape[:-1], shape, message=wrong, data=data)
            with control_dependencies([equal]):
                return ops.expand_dims(weights, -1, name=scope)
        expected_shape = ops.concat([logits_shape[:-1], [1]], axis=0)
        if for_each_logit:
            alternatives = [
                ops.reduce_all(ops.equal(logits_shape, shape)),
                ops.reduce_all(ops.equal(expected_shape, shape)),
            ]
            check = ops.Assert(condition=ops.reduce_any(alternatives), data=[wrong, *data])
        else:
            check = ops.assert_equal(expected_shape, shape, message=wrong, data=data)
        with control_dependencies([check]):
            return ops.identity(weights, name=scope)


def validate_logits(logits: Any, dimension: Any) -> Tensor:
    """Returns logits [..., dimension] as float32; raises ValueError for another last dimension."""
    wrong = "logits shape must be [D0, D1, ... DN, logits_dimension]"
    with name_scope(None, "logits", (logits,)) as scope:
        logits = to_float(logits)
        shape = ops.shape(logits)
        rank = ops.assert_rank_at_least(logits, 2, data=[shape], message=wrong)
        with control_dependencies([rank]):
            static = logits.shape
            if static.ndims is not None and dimension_value(static[-1]) is not None:
                if isinstance(dimension, int) and dimension_value(static[-1]) != dimension:
                    raise ValueError(f"{wrong}, got {static}.")
                return logits
            equal = ops.assert_equal(dimension, shape[-1], data=[shape], message=wrong)
            with control_dependencies([equal]):
                return ops.identity(logits, name=scope)


def in_range(labels: Tensor, n_classes: Any, message: str | None = None) -> Tensor:
    """Returns the labels, checked at run time to be in [0, n_classes)."""
    with name_scope(None, "assert_range", (labels,)):
        upper_check = ops.assert_less_equal(
            labels,
            ops.convert_to_tensor(n_classes - 1, dtype=labels.dtype),
            message=message or "Labels must <= n_classes - 1",
        )
        above = ops.assert_non_negative(labels, message=message or "Labels must >= 0")
        with control_dependencies((upper_check, above)):
            return ops.identity(labels)


def check_reduction(loss_reduction: str) -> None:
    """Raises ValueError unless the reduction yields a scalar."""
    if loss_reduction not in Reduction.all() or loss_reduction == Reduction.NONE:
        raise ValueError(f"Invalid loss_reduction: {loss_reduction}")


def check_loss_fn(loss_fn: Callable | None, options: Sequence[str] = ("features",)) -> None:
    """Raises ValueError unless the function, if any, accepts `labels`, `logits` and at most these `options`."""
    if not loss_fn:
        return
    names = parameter_names(loss_fn)
    for name in ("labels", "logits"):
        if name not in names:
            raise ValueError(f"loss_fn must contain argument: {name}. Given arguments: {names}")
    unexpected = list(set(names) - {"labels", "logits", *options})
    if unexpected:
        raise ValueError(f"loss_fn has unexpected args: {unexpected}")


def check_thresholds(thresholds: Any) -> tuple:
    """Returns the thresholds as a tuple; raises ValueError for values outside (0, 1)."""
    as_tuple = tuple(thresholds) if thresholds else ()
    for threshold in as_tuple:
        if not 0.0 < threshold < 1.0:
            raise ValueError(f"thresholds not in (0, 1): {(as_tuple,)}.")
    return as_tuple


def custom_loss(
    loss_fn: Callable, labels: Any, logits: Tensor, features: dict, size: int
) -> Tensor:
    """Returns the result of a custom loss function, [..., size]; other shapes fail at run time."""
    options = {"features": features} if "features" in parameter_names(loss_fn) else {}
    with name_scope(None, "call_loss_fn", [labels, logits, *features.values()]):
        loss = loss_fn(labels=labels, logits=logits, **options)
        logits_shape = ops.shape(logits, name="logits_shape")
        expected = ops.concat([logits_shape[:-1], [size]], axis=0, name="expected_loss_shape")
        shape = ops.shape(loss, name="loss_shape")
        check = ops.Assert(
            ops.reduce_all(ops.equal(shape, expected)),
            data=[
                f"loss_fn must return Tensor of shape [D0, D1, ... DN, {size}]. ",
                "logits_shape: ",
                logits_shape,
                "loss_shape: ",
                shape,
            ],
            name="check_loss_shape",
        )
        with control_dependencies([check]):
            return ops.identity(loss)
