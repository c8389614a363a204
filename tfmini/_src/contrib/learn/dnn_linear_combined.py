"""`tf.contrib.learn` Estimators that train a linear model and a network jointly."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import TYPE_CHECKING, Any

from tfmini._src.base.names.deprecation import deprecated_arg_values
from tfmini._src.base.names.signature import arguments_of
from tfmini._src.contrib.layers.optimize_loss import optimize_loss
from tfmini._src.contrib.learn import dnn, linear
from tfmini._src.contrib.learn.canned import Classifier, Regressor
from tfmini._src.contrib.learn.estimator import Estimator
from tfmini._src.contrib.learn.heads import multi_class_head, regression_head
from tfmini._src.contrib.learn.model_fn import ModeKeys, ModelFnOps
from tfmini._src.contrib.learn.predict import regressor_metrics
from tfmini._src.graph.collections import get_collection
from tfmini._src.graph.scopes import colocate_with, control_dependencies
from tfmini._src.ops import ops
from tfmini._src.ops.nn.activations import relu
from tfmini._src.train.global_step import get_global_step
from tfmini._src.train.monitored.sync_replicas_optimizer import SyncReplicasOptimizer
from tfmini._src.variables.partitioners import min_max_variable_partitioner
from tfmini._src.variables.variable_scope import variable_scope

if TYPE_CHECKING:
    from tfmini._src.contrib.learn.run_config import RunConfig
    from tfmini._src.train.optimizers.optimizer import Optimizer


_NO_COLUMNS = "Either linear_feature_columns or dnn_feature_columns must be defined."

_counts_twice = deprecated_arg_values(
    "2017-04-15",
    "Please set fix_global_step_increment_bug=True and update training steps in your pipeline. See pydoc for details.",
    fix_global_step_increment_bug=False,
)


def _optimizer(value: Any) -> Any:
    result = value() if callable(value) else value
    if isinstance(result, SyncReplicasOptimizer):
        raise ValueError(
            "SyncReplicasOptimizer is not supported in DNNLinearCombined model. If you want to use this optimizer, "
            "please use either DNN or Linear model."
        )
    return result


def _partitioner(replicas: int, size: int) -> Any:
    return min_max_variable_partitioner(max_partitions=replicas, min_slice_size=size)


def combined_model_fn(
    features: Any, labels: Any, mode: str, params: dict, config: Any = None
) -> ModelFnOps:
    """Model function that builds a linear model combined with fully connected layers."""
    head, clip = params["head"], params.get("gradient_clip_norm")
    linear_columns, dnn_columns = (
        params.get("linear_feature_columns"),
        params.get("dnn_feature_columns"),
    )
    replicas = config.num_ps_replicas if config else 0
    increments_once = params.get("fix_global_step_increment_bug", True)
    rates = params.get("embedding_lr_multipliers")
    if not linear_columns and not dnn_columns:
        raise ValueError(_NO_COLUMNS)
    if not isinstance(features, dict):
        features = {"": features}
    linear_opt = _optimizer(params.get("linear_optimizer") or "Ftrl")
    dnn_opt = _optimizer(params.get("dnn_optimizer") or "Adagrad")
    logits_parts, parts = [], []
    if dnn_columns:
        logits_parts.append(
            _deep(features, dnn_columns, head.logits_dimension, mode, params, replicas)
        )
        parts.append(("dnn", dnn_opt, dnn.LEARNING_RATE))
    if linear_columns:
        with variable_scope(
            "linear", values=tuple(features.values()), partitioner=_partitioner(replicas, 64 << 20)
        ) as scope:
            joint = params.get("joint_linear_weights")
            logits = linear.wide_logits(
                features, linear_columns, head.logits_dimension, joint, "linear", scope
            )
            dnn.summarize_activation(logits, f"{scope.name}/")
        logits_parts.append(logits)
        parts.append(("linear", linear_opt, linear.default_learning_rate(len(linear_columns))))

    def train(loss: Any) -> Any:
        step = get_global_step()
        steps = [
            optimize_loss(
                loss=loss,
                global_step=step,
                learning_rate=rate,
                optimizer=optimizer,
                gradient_multipliers=dnn.rates_of_variables(rates) if key == "dnn" else None,
                clip_gradients=clip,
                variables=get_collection(key),
                name=key,
                summaries=[],
                increment_global_step=not increments_once,
            )
            for key, optimizer, rate in parts
        ]
        both = ops.group(*steps)
        if not increments_once:
            return both
        with control_dependencies([both]), colocate_with(step):
            return ops.assign_add(step, 1).op

    logits = logits_parts[0] + logits_parts[1] if len(logits_parts) > 1 else logits_parts[0]
    return head.create_model_fn_ops(
        features=features, mode=mode, labels=labels, train_op_fn=train, logits=logits
    )


def _deep(features: dict, columns: Any, units: int, mode: str, params: dict, replicas: int) -> Any:
    sizes, dropout = params.get("dnn_hidden_units"), params.get("dnn_dropout")
    if not sizes:
        raise ValueError("dnn_hidden_units must be defined when dnn_feature_columns is specified.")
    layers = dnn.Layers(
        sizes, params.get("dnn_activation_fn") or relu, dropout if mode == ModeKeys.TRAIN else None
    )
    input_partitioner = params.get("input_layer_partitioner") or _partitioner(replicas, 64 << 20)
    partitioner = min_max_variable_partitioner(max_partitions=replicas)
    with variable_scope("dnn", values=tuple(features.values()), partitioner=partitioner):
        return dnn.deep_logits(features, columns, units, layers, input_partitioner, separator="/")


def _parameters(arguments: dict, config: Any) -> dict:
    linear_columns = tuple(arguments["linear_feature_columns"] or [])
    dnn_columns = tuple(arguments["dnn_feature_columns"] or [])
    if not linear_columns + dnn_columns:
        raise ValueError(_NO_COLUMNS)
    size, partitioner = (
        arguments.get("input_layer_min_slice_size"),
        arguments.get("input_layer_partitioner"),
    )
    if size is not None:
        partitioner = _partitioner(config.num_ps_replicas if config else 0, size)
    names = (
        *("head", "linear_optimizer", "dnn_optimizer", "dnn_hidden_units", "dnn_activation_fn"),
        *("dnn_dropout", "gradient_clip_norm", "fix_global_step_increment_bug"),
        "embedding_lr_multipliers",
    )
    return {
        **{name: arguments[name] for name in names},
        "linear_feature_columns": linear_columns,
        "dnn_feature_columns": dnn_columns,
        "joint_linear_weights": arguments["_joint_linear_weights"],
        "input_layer_partitioner": partitioner,
    }


class DNNLinearCombinedEstimator(Estimator):
    """Estimator for a linear model and fully connected layers, with a custom head.

    Args:
      head: a head, as returned by `tf.contrib.learn.multi_class_head`.
      model_dir, config, feature_engineering_fn, embedding_lr_multipliers: as in `DNNClassifier`.
      linear_feature_columns: columns of the linear model.
      linear_optimizer: an Optimizer, its name, or a function that returns it; by default Ftrl.
      _joint_linear_weights: whether the linear model's weights are a single variable.
      dnn_feature_columns: columns of the network.
      dnn_optimizer: an Optimizer, its name, or a function that returns it; by default Adagrad.
      dnn_hidden_units: list of hidden layer sizes.
      dnn_activation_fn: activation of hidden layers; by default `tf.nn.relu`.
      dnn_dropout: dropout probability of hidden layers during training, in [0, 1], or None.
      gradient_clip_norm: maximum global gradient norm of each part.
      fix_global_step_increment_bug: whether to count each step once instead of once per part.
      input_layer_partitioner: partitioner of the input layer's variables.

    Raises:
      ValueError: if there are no columns.
    """

    @_counts_twice
    def __init__(
        self,
        head: Any,
        model_dir: str | None = None,
        linear_feature_columns: Iterable[Any] | None = None,
        linear_optimizer: str | Optimizer | Callable[..., Any] | None = None,
        _joint_linear_weights: bool = False,
        dnn_feature_columns: Iterable[Any] | None = None,
        dnn_optimizer: str | Optimizer | Callable[..., Any] | None = None,
        dnn_hidden_units: Sequence[int] | None = None,
        dnn_activation_fn: Callable[..., Any] | None = None,
        dnn_dropout: float | None = None,
        gradient_clip_norm: float | None = None,
        config: RunConfig | None = None,
        feature_engineering_fn: Callable[..., Any] | None = None,
        embedding_lr_multipliers: Mapping[Any, float] | None = None,
        fix_global_step_increment_bug: bool = False,
        input_layer_partitioner: Callable[..., Any] | None = None,
    ):
        params = _parameters(locals(), config)
        super().__init__(combined_model_fn, model_dir, config, params, feature_engineering_fn)


class DNNLinearCombinedClassifier(Classifier):
    """Estimator for classification with a linear model and fully connected layers.

    Args:
      model_dir, n_classes, weight_column_name, enable_centered_bias, input_layer_min_slice_size, label_keys: as in
        `DNNClassifier`.
      linear_feature_columns, linear_optimizer, _joint_linear_weights, dnn_feature_columns, dnn_optimizer,
        dnn_hidden_units, dnn_activation_fn, dnn_dropout, gradient_clip_norm, config, feature_engineering_fn,
        embedding_lr_multipliers, fix_global_step_increment_bug: as in `DNNLinearCombinedEstimator`.

    Raises:
      ValueError: if there are no columns, fewer than two classes, or names that do not match.

    Example:
      model = tf.contrib.learn.DNNLinearCombinedClassifier(
          linear_feature_columns=wide, dnn_feature_columns=deep, dnn_hidden_units=[100, 50],
          fix_global_step_increment_bug=True)
      model.fit(input_fn=input_fn, steps=200)
    """

    @_counts_twice
    @arguments_of(
        DNNLinearCombinedEstimator, "head", "input_layer_partitioner", dnn_activation_fn=relu
    )
    def __init__(
        self,
        model_dir: str | None = None,
        n_classes: int = 2,
        weight_column_name: str | None = None,
        gradient_clip_norm: float | None = None,
        enable_centered_bias: bool = False,
        config: RunConfig | None = None,
        feature_engineering_fn: Callable[..., Any] | None = None,
        embedding_lr_multipliers: Mapping[Any, float] | None = None,
        input_layer_min_slice_size: int | None = None,
        label_keys: Sequence[Any] | None = None,
        **parts: Any,
    ):
        head = multi_class_head(
            n_classes,
            weight_column_name=weight_column_name,
            enable_centered_bias=enable_centered_bias,
            label_keys=label_keys,
        )
        params = _parameters({**locals(), **parts}, config)
        super().__init__(combined_model_fn, model_dir, config, params, feature_engineering_fn)


class DNNLinearCombinedRegressor(Regressor):
    """Estimator for regression with a linear model and fully connected layers.

    Args:
      label_dimension: number of regression targets per example.
      Other arguments are as in `DNNLinearCombinedClassifier`.

    Raises:
      ValueError: if there are no columns.
    """

    @_counts_twice
    @arguments_of(DNNLinearCombinedClassifier, "n_classes", "label_keys")
    def __init__(self, enable_centered_bias: bool, label_dimension: int = 1, **kwargs: Any):
        head = regression_head(
            weight_column_name=kwargs["weight_column_name"],
            label_dimension=label_dimension,
            enable_centered_bias=enable_centered_bias,
        )
        params = _parameters({**kwargs, "head": head}, kwargs["config"])
        base_args = {key: kwargs[key] for key in ("model_dir", "config", "feature_engineering_fn")}
        super().__init__(combined_model_fn, params=params, **base_args)

    @arguments_of(Estimator.evaluate, "log_progress")
    def evaluate(self, metrics: Any, **kwargs: Any) -> dict[str, Any]:
        """Evaluates a checkpoint like `Estimator.evaluate`; metrics without keys apply to the scores."""
        return super().evaluate(metrics=regressor_metrics(metrics), **kwargs)
