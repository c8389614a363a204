"""Linear models: a weighted sum of columns per logit."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable, Sequence
from typing import TYPE_CHECKING, Any

from tfmini._src.base import dtypes
from tfmini._src.base.names.argument_descriptions import describe_arguments
from tfmini._src.base.names.signature import arguments_of
from tfmini._src.base.nest.structure import flatten
from tfmini._src.graph.scopes import name_scope
from tfmini._src.graph.tensor import Tensor
from tfmini._src.models.estimator.argument_descriptions import ESTIMATOR
from tfmini._src.models.estimator.canned.optimizer_by_name import create_optimizer
from tfmini._src.models.estimator.estimator import Estimator
from tfmini._src.models.estimator.estimator_spec import EstimatorSpec
from tfmini._src.models.estimator.heads.classification_heads import (
    BinaryHead,
    binary_or_multi_class_head,
)
from tfmini._src.models.estimator.heads.regression_head import RegressionHead
from tfmini._src.models.estimator.mode_keys import ModeKeys
from tfmini._src.models.estimator.sdca.linear_sdca import LinearSDCA, WeightsUpdateHook
from tfmini._src.models.feature_column.column_checks import are_second
from tfmini._src.models.feature_column.dense_features import LinearModel
from tfmini._src.models.feature_column.linear_model import ScopedLinearModel
from tfmini._src.nn.losses.reduction import Reduction
from tfmini._src.ops import ops
from tfmini._src.ops.summaries import scalar_histogram_summary as summaries
from tfmini._src.train.global_step import get_global_step
from tfmini._src.train.optimizers.ftrl import FtrlOptimizer
from tfmini._src.variables.partitioned_variable import PartitionedVariable
from tfmini._src.variables.partitioners import min_max_variable_partitioner
from tfmini._src.variables.variable_scope import variable_scope

if TYPE_CHECKING:
    from tfmini._src.models.estimator.run_config import RunConfig
    from tfmini._src.models.estimator.warm_start_settings import WarmStartSettings
    from tfmini._src.models.feature_column.base_columns import FeatureColumn
    from tfmini._src.train.optimizers.optimizer import Optimizer


_LEARNING_RATE = 0.2


def linear_logit_fn_builder(
    units: int, feature_columns: Iterable[Any], sparse_combiner: str = "sum"
) -> Callable[..., Any]:
    """Builds a function from features to the logits of a linear model.

    Args:
      units: number of logits.
      feature_columns: categorical and dense columns.
      sparse_combiner: combiner for the weights of multivalent columns: "sum", "mean" or "sqrtn".

    Returns:
      `logit_fn(features)`, which returns a Tensor [batch, units].
    """

    def linear_logit_fn(features: Any) -> Tensor:
        if are_second(feature_columns):
            model: Any = LinearModel(feature_columns, units, sparse_combiner, name="linear_model")
            logits = model(features)
            weights = [v for v in model.variables if v is not model.bias]
        else:
            model = ScopedLinearModel(feature_columns, units, sparse_combiner, name="linear_model")
            logits = model(features)
            weights = [v for key, v in model.cols_to_vars().items() if key != "bias"]
        summarize_weights(_without_partitions([model.bias]), weights, units)
        return logits

    return linear_logit_fn


def summarize_weights(bias: Any, weights: Any, units: int) -> None:
    """Adds summaries of the bias and of the fraction of zeros in the other weights."""
    if units > 1:
        summaries.histogram("bias", bias)
    else:
        summaries.scalar("bias", (bias[0] if isinstance(bias, list) else bias)[0])
    summaries.scalar("fraction_of_zero_weights", zero_fraction(weights))


def _dual_model_fn(
    features: dict, labels: Any, mode: str, head: Any, feature_columns: Any, optimizer: LinearSDCA
) -> EstimatorSpec:
    """Returns the EstimatorSpec of a linear model trained by dual coordinate ascent."""
    assert are_second(feature_columns)
    if isinstance(head, BinaryHead):
        loss_type = "logistic_loss"
    elif type(head) is RegressionHead:
        assert head.logits_dimension == 1
        loss_type = "squared_loss"
    else:
        raise ValueError(f"Unsupported head type: {head}")
    return dual_model_spec(
        *(features, labels, mode, head, feature_columns, optimizer),
        *(loss_type, head.weight_column, "linear_model"),
    )


def dual_model_spec(
    features: dict,
    labels: Any,
    mode: str,
    head: Any,
    feature_columns: Any,
    optimizer: LinearSDCA,
    loss_type: str,
    weight_column: Any,
    name: str,
) -> EstimatorSpec:
    """Returns the EstimatorSpec of a single-logit linear model trained by stochastic dual coordinate ascent (SDCA)."""
    model = LinearModel(feature_columns, 1, "sum", name=name)
    logits = model(features)
    summarize_weights(
        _without_partitions([model.bias]), [v for v in model.variables if v is not model.bias], 1
    )
    arguments = {"features": features, "mode": mode, "labels": labels, "logits": logits}
    if mode != ModeKeys.TRAIN:
        return head.create_estimator_spec(**arguments)
    dual, train_op = optimizer.get_train_step(
        *(model.layer._state_manager, weight_column, loss_type, feature_columns, features, labels),
        *(model.bias, get_global_step()),
    )
    spec = head.create_estimator_spec(**arguments, train_op_fn=lambda loss: train_op)
    hook = WeightsUpdateHook(dual, train_op)
    return spec._replace(training_chief_hooks=(*spec.training_chief_hooks, hook))


def _without_partitions(variables: list) -> list:
    parts: list = []
    for variable in variables:
        parts += list(variable) if isinstance(variable, PartitionedVariable) else [variable]
    return parts


def zero_fraction(variables: Any) -> Tensor:
    """Returns the fraction of zero weights in a structure of possibly partitioned variables."""
    variables = _without_partitions(flatten(variables))
    with name_scope("zero_fraction"):
        with name_scope("total_size"):
            sizes = [ops.size(v, out_type=dtypes.int64) for v in variables]
            size = ops.add_n(sizes)
        with name_scope("total_zero"):
            zeros = ops.add_n([_zeros(v, n) for v, n in zip(variables, sizes)])
        with name_scope("compute"):
            fraction = zeros / ops.cast(size, dtypes.float32, name="float32_size")
        return ops.identity(fraction, name="zero_fraction_or_nan")


def _zeros(variable: Any, size: Tensor) -> Tensor:
    return ops.cond(
        ops.equal(size, ops.constant(0, dtype=dtypes.int64)),
        true_fn=lambda: ops.constant(0, dtype=dtypes.float32),
        false_fn=lambda: (
            ops.zero_fraction(variable) * ops.cast(size, dtypes.float32, name="ToFloat")
        ),
        name="zero_count",
    )


def linear_model_fn(
    features: Any,
    labels: Any,
    mode: str,
    head: Any,
    feature_columns: tuple,
    optimizer: Any,
    partitioner: Any,
    config: Any,
    sparse_combiner: str,
) -> EstimatorSpec:
    """Returns the EstimatorSpec of a linear model with a head."""
    check_features(features)
    partitioner = partitioner or min_max_variable_partitioner(
        max_partitions=config.num_ps_replicas if config else 0, min_slice_size=64 << 20
    )
    with variable_scope("linear", values=tuple(features.values()), partitioner=partitioner):
        if isinstance(optimizer, LinearSDCA):
            assert sparse_combiner == "sum"
            return _dual_model_fn(features, labels, mode, head, feature_columns, optimizer)
        logit_fn = linear_logit_fn_builder(head.logits_dimension, feature_columns, sparse_combiner)
        logits = logit_fn(features)
        if not optimizer:
            rate = min(_LEARNING_RATE, 1.0 / math.sqrt(len(feature_columns)))
            optimizer = FtrlOptimizer(learning_rate=rate)
        return head.create_estimator_spec(
            features=features,
            mode=mode,
            labels=labels,
            optimizer=create_optimizer(optimizer, _LEARNING_RATE),
            logits=logits,
        )


def check_dual(
    optimizer: Any, feature_columns: Any, combiner: str, outputs: int, error_text: str
) -> None:
    """Raises ValueError if stochastic dual coordinate ascent (SDCA) cannot train the model."""
    if not isinstance(optimizer, LinearSDCA):
        return
    if combiner != "sum":
        raise ValueError('sparse_combiner must be "sum" when optimizer is a LinearSDCA object.')
    if not are_second(feature_columns):
        raise ValueError("V2 feature columns required when optimizer is a LinearSDCA object.")
    if outputs > 1:
        raise ValueError(error_text)


def check_features(features: Any) -> None:
    """Raises ValueError unless features are a dict."""
    if not isinstance(features, dict):
        raise ValueError(
            f"features should be a dictionary of `Tensor`s. Given type: {type(features)}"
        )


def _make_model_fn(
    head: Any, feature_columns: Any, optimizer: Any, partitioner: Any, sparse_combiner: str
) -> Callable[..., EstimatorSpec]:
    def model(features: Any, labels: Any, mode: str, config: Any) -> EstimatorSpec:
        columns = tuple(feature_columns or [])
        return linear_model_fn(
            *(features, labels, mode, head, columns, optimizer, partitioner, config),
            sparse_combiner,
        )

    return model


@describe_arguments(ESTIMATOR)
class LinearEstimator(Estimator):
    """A linear model with a head.

    Args:
      head: a head of `tf.contrib.estimator`.
      feature_columns: categorical and dense columns.
      optimizer: an Optimizer, its name, a function that returns it, or a `tf.estimator.experimental.LinearSDCA`.
      partitioner: partitioner of the variables.

    Raises:
      ValueError: during training, if features are not a dict, or the optimizer is invalid.
    """

    def __init__(
        self,
        head: Any,
        feature_columns: Iterable[Any],
        model_dir: str | None = None,
        optimizer: str | Optimizer | Callable[[], Any] = "Ftrl",
        config: RunConfig | None = None,
        partitioner: Callable[..., Any] | None = None,
        sparse_combiner: str = "sum",
    ):
        model = _make_model_fn(head, feature_columns, optimizer, partitioner, sparse_combiner)
        super().__init__(model_fn=model, model_dir=model_dir, config=config)


@describe_arguments(ESTIMATOR)
class LinearClassifier(Estimator):
    """A linear classifier.

    Args:
      feature_columns: categorical and dense columns.
      optimizer: an Optimizer, its name, a function that returns it, or a `tf.estimator.experimental.LinearSDCA`.
      partitioner: partitioner of the variables.

    Raises:
      ValueError: for invalid arguments; during training, for labels or weights of the wrong shape.

    Example:
      city = tf.feature_column.categorical_column_with_hash_bucket("city", 100)
      model = tf.estimator.LinearClassifier([city])
      model.train(input_fn, steps=1000)
    """

    def __init__(
        self,
        feature_columns: Iterable[Any],
        model_dir: str | None = None,
        n_classes: int = 2,
        weight_column: str | FeatureColumn | None = None,
        label_vocabulary: Sequence[Any] | None = None,
        optimizer: str | Optimizer | Callable[[], Any] = "Ftrl",
        config: RunConfig | None = None,
        partitioner: Callable[..., Any] | None = None,
        warm_start_from: str | WarmStartSettings | None = None,
        loss_reduction: str = Reduction.SUM,
        sparse_combiner: str = "sum",
    ):
        error_text = "LinearSDCA cannot be used in a multi-class setting."
        classes = n_classes - 1
        check_dual(optimizer, feature_columns, sparse_combiner, classes, error_text)
        head = binary_or_multi_class_head(
            n_classes, weight_column, label_vocabulary, loss_reduction
        )
        model = _make_model_fn(head, feature_columns, optimizer, partitioner, sparse_combiner)
        super().__init__(model, model_dir, config, warm_start_from=warm_start_from)


@describe_arguments(ESTIMATOR)
class LinearRegressor(Estimator):
    """A linear regressor.

    Args:
      feature_columns: categorical and dense columns.
      optimizer: an Optimizer, its name, a function that returns it, or a `tf.estimator.experimental.LinearSDCA`.
      partitioner: partitioner of the variables.

    Raises:
      ValueError: for invalid arguments; during training, for labels or weights of the wrong shape.
    """

    @arguments_of(LinearClassifier, "n_classes", "label_vocabulary")
    def __init__(
        self, feature_columns: Any, model_dir: Any, label_dimension: int = 1, **options: Any
    ):
        optimizer, combiner = options["optimizer"], options["sparse_combiner"]
        error_text = "LinearSDCA can only be used with one-dimensional label."
        check_dual(optimizer, feature_columns, combiner, label_dimension, error_text)
        head = RegressionHead(options["weight_column"], label_dimension, options["loss_reduction"])
        model = _make_model_fn(head, feature_columns, optimizer, options["partitioner"], combiner)
        base_args = {key: options[key] for key in ("config", "warm_start_from")}
        super().__init__(model, model_dir, **base_args)
