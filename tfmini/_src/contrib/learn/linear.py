"""Linear `tf.contrib.learn` Estimators."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable, Sequence
from typing import TYPE_CHECKING, Any

from tfmini._src.autodiff.gradients import gradients
from tfmini._src.base import logs
from tfmini._src.contrib.layers.feature_column.column import Column
from tfmini._src.contrib.layers.feature_column.feature_column_ops import (
    joint_weighted_sum_from_feature_columns,
    weighted_sum_from_feature_columns,
)
from tfmini._src.contrib.layers.optimize_loss import OPTIMIZER_CLS_NAMES
from tfmini._src.contrib.learn.canned import Classifier, Regressor
from tfmini._src.contrib.learn.estimator import Estimator
from tfmini._src.contrib.learn.heads import multi_class_head, regression_head
from tfmini._src.contrib.learn.model_fn import ModelFnOps
from tfmini._src.contrib.learn.sdca import sdca_model_fn, sdca_params
from tfmini._src.contrib.linear_optimizer.sdca_optimizer import SDCAOptimizer
from tfmini._src.graph.collections import get_collection
from tfmini._src.models.feature_column.linear_model import linear_model
from tfmini._src.ops import ops
from tfmini._src.train.global_step import get_global_step
from tfmini._src.train.optimizers.ftrl import FtrlOptimizer
from tfmini._src.variables.partitioners import min_max_variable_partitioner
from tfmini._src.variables.variable_scope import variable_scope

if TYPE_CHECKING:
    from tfmini._src.contrib.learn.run_config import RunConfig
    from tfmini._src.train.optimizers.optimizer import Optimizer


_LEARNING_RATE = 0.2


def wide_logits(features: dict, columns: Any, units: int, joint: Any, key: str, scope: Any) -> Any:
    """Returns weighted sums of columns, [batch, units], in variable scope `key`; `joint`: with a single variable."""
    if not all(isinstance(column, Column) for column in columns):
        return linear_model(features, columns, units=units, weight_collections=[key])
    function = weighted_sum_from_feature_columns
    if joint:
        function = joint_weighted_sum_from_feature_columns  # type: ignore[assignment]
    logits, *_ = function(
        columns_to_tensors=features,
        feature_columns=columns,
        num_outputs=units,
        weight_collections=[key],
        scope=scope,
    )
    return logits


def default_learning_rate(columns: int) -> float:
    """Returns the default learning rate for a number of columns."""
    return min(_LEARNING_RATE, 1.0 / math.sqrt(columns))


def linear_model_fn(
    features: Any, labels: Any, mode: str, params: dict, config: Any = None
) -> ModelFnOps:
    """Model function that builds a linear model."""
    head, columns = params["head"], params["feature_columns"]
    clip = params.get("gradient_clip_norm")
    optimizer = params.get("optimizer") or FtrlOptimizer(
        learning_rate=default_learning_rate(len(columns))
    )
    if not isinstance(features, dict):
        features = {"": features}
    partitioner = min_max_variable_partitioner(
        max_partitions=config.num_ps_replicas if config else 0, min_slice_size=64 << 20
    )
    key = "linear"
    with variable_scope(key, values=tuple(features.values()), partitioner=partitioner) as scope:
        units, joint = head.logits_dimension, params.get("joint_weights")
        logits = wide_logits(features, columns, units, joint, key, scope)

        def train(loss: Any) -> Any:
            step, variables = get_global_step(), get_collection(key)
            grads = gradients(loss, variables)
            if clip:
                grads, _ = ops.clip_by_global_norm(grads, clip)
            return _optimizer(optimizer).apply_gradients(zip(grads, variables), global_step=step)

        return head.create_model_fn_ops(
            features=features, mode=mode, labels=labels, train_op_fn=train, logits=logits
        )


def _optimizer(value: Any) -> Any:
    if isinstance(value, str):
        return OPTIMIZER_CLS_NAMES[value](learning_rate=_LEARNING_RATE)
    return value() if callable(value) else value


def _parameters(
    head: Any, columns: Any, optimizer: Any, clip_norm: float | None, joint_weights: bool
) -> dict[str, Any]:
    return {
        "head": head,
        "feature_columns": columns,
        "optimizer": optimizer,
        "gradient_clip_norm": clip_norm,
        "joint_weights": joint_weights,
    }


class LinearEstimator(Estimator):
    """Estimator for a linear model with a custom head.

    Args:
      feature_columns: columns of `tf.contrib.layers` or `tf.feature_column`.
      head: a head, as returned by `tf.contrib.learn.multi_class_head`.
      model_dir: directory of checkpoints and event files.
      weight_column_name: ignored, as in TensorFlow; the head has its own.
      _joint_weights: whether all weights are a single variable.
      optimizer, gradient_clip_norm, config, feature_engineering_fn: as in `LinearClassifier`.
    """

    def __init__(
        self,
        feature_columns: Iterable[Any],
        head: Any,
        model_dir: str | None = None,
        weight_column_name: str | None = None,
        optimizer: str | Optimizer | Callable[..., Any] | None = None,
        gradient_clip_norm: float | None = None,
        _joint_weights: bool = False,
        config: RunConfig | None = None,
        feature_engineering_fn: Callable[..., Any] | None = None,
    ):
        assert feature_columns
        params = _parameters(head, feature_columns, optimizer, gradient_clip_norm, _joint_weights)
        super().__init__(linear_model_fn, model_dir, config, params, feature_engineering_fn)


class LinearClassifier(Classifier):
    """Estimator for linear classification.

    Args:
      feature_columns: columns of `tf.contrib.layers` or `tf.feature_column`.
      model_dir, n_classes, weight_column_name, gradient_clip_norm, enable_centered_bias, config,
        feature_engineering_fn, label_keys: as in `DNNClassifier`.
      optimizer: an Optimizer, its name, a function that returns it, or a `tf.contrib.linear_optimizer.SDCAOptimizer`;
        by default Ftrl.
      _joint_weight: whether all weights are a single variable.

    Raises:
      ValueError: if there are fewer than two classes, or the names do not match.

    Example:
      age = tf.contrib.layers.real_valued_column("age")
      model = tf.contrib.learn.LinearClassifier([age])
      model.fit(input_fn=input_fn, steps=100)
    """

    def __init__(
        self,
        feature_columns: Iterable[Any],
        model_dir: str | None = None,
        n_classes: int = 2,
        weight_column_name: str | None = None,
        optimizer: str | Optimizer | Callable[..., Any] | None = None,
        gradient_clip_norm: float | None = None,
        enable_centered_bias: bool = False,
        _joint_weight: bool = False,
        config: RunConfig | None = None,
        feature_engineering_fn: Callable[..., Any] | None = None,
        label_keys: Sequence[Any] | None = None,
    ):
        is_dual = isinstance(optimizer, SDCAOptimizer)
        if is_dual and enable_centered_bias:
            raise ValueError("enable_centered_bias is not supported with SDCA")
        assert feature_columns
        head = multi_class_head(
            n_classes,
            weight_column_name=weight_column_name,
            enable_centered_bias=enable_centered_bias,
            label_keys=label_keys,
        )
        params = _parameters(head, feature_columns, optimizer, gradient_clip_norm, _joint_weight)
        function: Callable = linear_model_fn
        if is_dual:
            assert not _joint_weight, "_joint_weight is incompatible with the SDCAOptimizer"
            assert n_classes == 2, "SDCA only applies to binary classification."
            function, params = sdca_model_fn, sdca_params(params, weight_column_name)
        super().__init__(function, model_dir, config, params, feature_engineering_fn)


class LinearRegressor(Regressor):
    """Estimator for linear regression.

    Args:
      label_dimension: number of regression targets per example.
      _joint_weights: whether all weights are a single variable.
      Other arguments are as in `LinearClassifier`.
    """

    def __init__(
        self,
        feature_columns: Iterable[Any],
        model_dir: str | None = None,
        weight_column_name: str | None = None,
        optimizer: str | Optimizer | Callable[..., Any] | None = None,
        gradient_clip_norm: float | None = None,
        enable_centered_bias: bool = False,
        label_dimension: int = 1,
        _joint_weights: bool = False,
        config: RunConfig | None = None,
        feature_engineering_fn: Callable[..., Any] | None = None,
    ):
        is_dual = isinstance(optimizer, SDCAOptimizer)
        if is_dual and enable_centered_bias:
            enable_centered_bias = False
            logs.warning("centered_bias is not supported with SDCA, please disable it explicitly.")
        assert feature_columns
        head = regression_head(
            weight_column_name=weight_column_name,
            label_dimension=label_dimension,
            enable_centered_bias=enable_centered_bias,
        )
        params = _parameters(head, feature_columns, optimizer, gradient_clip_norm, _joint_weights)
        function: Callable = linear_model_fn
        if is_dual:
            assert label_dimension == 1, "SDCA only applies for label_dimension=1."
            assert not _joint_weights, "_joint_weights is incompatible with SDCAOptimizer."
            function, params = sdca_model_fn, sdca_params(params, weight_column_name)
        super().__init__(function, model_dir, config, params, feature_engineering_fn)
