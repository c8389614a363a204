"""Fully connected network Estimators in `tf.contrib.learn`."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import TYPE_CHECKING, Any, NamedTuple

from tfmini._src.base.names.signature import arguments_of
from tfmini._src.contrib.layers.feature_column.column import Column
from tfmini._src.contrib.layers.feature_column.feature_column_ops import input_from_feature_columns
from tfmini._src.contrib.layers.feature_column.ids_encodings import EmbeddingColumn
from tfmini._src.contrib.layers.fully_connected import fully_connected
from tfmini._src.contrib.layers.optimize_loss import optimize_loss
from tfmini._src.contrib.layers.parameterless_layers import dropout as drop
from tfmini._src.contrib.learn.canned import Classifier, Regressor
from tfmini._src.contrib.learn.estimator import Estimator
from tfmini._src.contrib.learn.heads import multi_class_head, regression_head
from tfmini._src.contrib.learn.model_fn import ModeKeys, ModelFnOps
from tfmini._src.contrib.learn.predict import regressor_metrics
from tfmini._src.graph.collections import get_collection
from tfmini._src.models.feature_column.input_layer import input_layer
from tfmini._src.ops import ops
from tfmini._src.ops.nn.activations import relu
from tfmini._src.ops.summaries import scalar_histogram_summary as summaries
from tfmini._src.train.global_step import get_global_step
from tfmini._src.variables.partitioners import min_max_variable_partitioner
from tfmini._src.variables.variable_scope import variable_scope

if TYPE_CHECKING:
    from tfmini._src.contrib.learn.run_config import RunConfig
    from tfmini._src.train.optimizers.optimizer import Optimizer


LEARNING_RATE = 0.05
_INPUT = "input_from_feature_columns"
_ACTIVATIONS = ("relu", "tanh", "sigmoid")


def _activation(value: Any) -> Any:
    if not isinstance(value, str):
        return value
    if value not in _ACTIVATIONS:
        raise ValueError(
            f"Activation name should be one of [{', '.join(_ACTIVATIONS)}], you provided {value}."
        )
    return getattr(ops, value)


def summarize_activation(value: Any, prefix: str) -> None:
    """Adds summaries of a layer's outputs; `prefix` starts their tags."""
    summaries.scalar(f"{prefix}fraction_of_zero_values", ops.zero_fraction(value))
    summaries.histogram(f"{prefix}activation", value)


class Layers(NamedTuple):
    """Settings of the hidden layers: sizes, activation, and dropout rate or None."""

    sizes: Any
    activation: Any
    dropout: float | None


def deep_logits(
    features: dict,
    columns: Any,
    units: int,
    layers: Layers,
    input_partitioner: Any,
    separator: str,
) -> Any:
    """Returns the logits of fully connected layers over columns, [batch, units], in variable scope "dnn".

    input_partitioner: partitioner of the input layer's variables.
    separator: text between layer names and summary names.
    """
    key, values = "dnn", tuple(features.values())
    with variable_scope(_INPUT, values=values, partitioner=input_partitioner) as scope:
        if all(isinstance(column, Column) for column in columns):
            net = input_from_feature_columns(
                features, columns, weight_collections=[key], scope=scope
            )
        else:
            net = input_layer(features, columns, weight_collections=[key])
    for i, size in enumerate(layers.sizes):
        with variable_scope(f"hiddenlayer_{i}", values=(net,)) as scope:
            net = fully_connected(
                net,
                size,
                activation_fn=layers.activation,
                variables_collections=[key],
                scope=scope,
            )
            if layers.dropout is not None:
                net = drop(net, keep_prob=(1.0 - layers.dropout))
        summarize_activation(net, f"{scope.name}{separator}")
    with variable_scope("logits", values=(net,)) as scope:
        logits = fully_connected(
            net, units, activation_fn=None, variables_collections=[key], scope=scope
        )
    summarize_activation(logits, f"{scope.name}{separator}")
    return logits


def dnn_model_fn(
    features: Any, labels: Any, mode: str, params: dict, config: Any = None
) -> ModelFnOps:
    """Model function that builds a fully connected network."""
    head, columns = params["head"], params["feature_columns"]
    optimizer = params.get("optimizer") or "Adagrad"
    activation, dropout = _activation(params.get("activation_fn")), params.get("dropout")
    slice_size = params.get("input_layer_min_slice_size") or 64 << 20
    replicas = config.num_ps_replicas if config else 0
    if not isinstance(features, dict):
        features = {"": features}
    key, values = "dnn", tuple(features.values())
    partitioner = min_max_variable_partitioner(max_partitions=replicas)
    with variable_scope(key, values=values, partitioner=partitioner):
        input_partitioner = min_max_variable_partitioner(
            max_partitions=replicas, min_slice_size=slice_size
        )
        logits = deep_logits(
            features,
            columns,
            head.logits_dimension,
            Layers(params["hidden_units"], activation, dropout if mode == ModeKeys.TRAIN else None),
            input_partitioner,
            separator="_",
        )

        def train(loss: Any) -> Any:
            return optimize_loss(
                loss=loss,
                global_step=get_global_step(),
                learning_rate=LEARNING_RATE,
                optimizer=optimizer() if callable(optimizer) else optimizer,
                gradient_multipliers=rates_of_variables(params.get("embedding_lr_multipliers")),
                clip_gradients=params.get("gradient_clip_norm"),
                name=key,
                summaries=[],
            )

        return head.create_model_fn_ops(
            features=features, mode=mode, labels=labels, train_op_fn=train, logits=logits
        )


def rates_of_variables(rates: Mapping[Any, float] | None) -> dict[Any, float] | None:
    """Maps the variables of embedding columns to the columns' learning rate multipliers."""
    if not rates:
        return None
    found = {}
    for column, rate in rates.items():
        if not isinstance(column, EmbeddingColumn):
            raise ValueError(
                "learning rate multipler can only be defined for embedding columns. It is defined for "
                f"{column}"
            )
        variables = get_collection("dnn", f"dnn/{_INPUT}/{column.name}")
        if not variables:
            raise ValueError(f"Couldn't find a variable for column {column}")
        found.update(dict.fromkeys(variables, rate))
    return found


def _parameters(head: Any, arguments: dict) -> dict:
    names = (
        *("hidden_units", "optimizer", "activation_fn", "dropout", "gradient_clip_norm"),
        *("embedding_lr_multipliers", "input_layer_min_slice_size"),
    )
    columns = tuple(arguments["feature_columns"] or [])
    return {"head": head, "feature_columns": columns, **{name: arguments[name] for name in names}}


class DNNClassifier(Classifier):
    """Estimator for classification with a fully connected network.

    Args:
      hidden_units: list of hidden layer sizes.
      feature_columns: columns of `tf.contrib.layers` or of `tf.feature_column`.
      model_dir: directory of checkpoints and event files.
      n_classes: number of classes.
      weight_column_name: name of the feature with example weights.
      optimizer: an Optimizer, its name, or a function that returns it; by default Adagrad.
      activation_fn: activation of hidden layers.
      dropout: dropout probability of hidden layers during training, in [0, 1], or None.
      gradient_clip_norm: maximum global gradient norm.
      enable_centered_bias: whether to add a separately trained bias.
      config: a RunConfig.
      feature_engineering_fn: a function that transforms (features, labels) for the model.
      embedding_lr_multipliers: learning rate multipliers by embedding column of `tf.contrib.layers`.
      input_layer_min_slice_size: minimum bytes of a variable partition.
      label_keys: class names, for string labels of three or more classes.

    Raises:
      ValueError: if there are fewer than two classes, or the names do not match.

    Example:
      columns = tf.contrib.learn.infer_real_valued_columns_from_input(x)
      model = tf.contrib.learn.DNNClassifier([10, 20, 10], columns, n_classes=3)
      model.fit(x, y, steps=200)
    """

    def __init__(
        self,
        hidden_units: Sequence[int],
        feature_columns: Iterable[Any],
        model_dir: str | None = None,
        n_classes: int = 2,
        weight_column_name: str | None = None,
        optimizer: str | Optimizer | Callable[..., Any] | None = None,
        activation_fn: Callable[..., Any] | None = relu,
        dropout: float | None = None,
        gradient_clip_norm: float | None = None,
        enable_centered_bias: bool = False,
        config: RunConfig | None = None,
        feature_engineering_fn: Callable[..., Any] | None = None,
        embedding_lr_multipliers: Mapping[Any, float] | None = None,
        input_layer_min_slice_size: int | None = None,
        label_keys: Sequence[Any] | None = None,
    ):
        head = multi_class_head(
            n_classes,
            weight_column_name=weight_column_name,
            enable_centered_bias=enable_centered_bias,
            label_keys=label_keys,
        )
        params = _parameters(head, locals())
        super().__init__(dnn_model_fn, model_dir, config, params, feature_engineering_fn)


class DNNEstimator(Estimator):
    """Estimator for a fully connected network with a custom head.

    Args:
      head: a head, as returned by `tf.contrib.learn.multi_class_head`.
      hidden_units, feature_columns, model_dir, optimizer, activation_fn, dropout, gradient_clip_norm, config,
        feature_engineering_fn, embedding_lr_multipliers, input_layer_min_slice_size: as in `DNNClassifier`.
    """

    @arguments_of(
        DNNClassifier, "n_classes", "weight_column_name", "enable_centered_bias", "label_keys"
    )
    def __init__(self, head: Any, **kwargs: Any):
        params = _parameters(head, kwargs)
        base_args = {key: kwargs[key] for key in ("model_dir", "config", "feature_engineering_fn")}
        super().__init__(dnn_model_fn, params=params, **base_args)


class DNNRegressor(Regressor):
    """Estimator for regression with a fully connected network.

    Args:
      label_dimension: number of regression targets per example.
      Other arguments are as in `DNNClassifier`.
    """

    @arguments_of(DNNClassifier, "n_classes", "label_keys")
    def __init__(self, feature_engineering_fn: Any, label_dimension: int = 1, **kwargs: Any):
        head = regression_head(
            weight_column_name=kwargs["weight_column_name"],
            label_dimension=label_dimension,
            enable_centered_bias=kwargs["enable_centered_bias"],
        )
        base_args = {"model_dir": kwargs["model_dir"], "config": kwargs["config"]}
        params = _parameters(head, kwargs)
        super().__init__(
            dnn_model_fn, params=params, feature_engineering_fn=feature_engineering_fn, **base_args
        )

    @arguments_of(Estimator.evaluate, "log_progress")
    def evaluate(self, metrics: Any, **kwargs: Any) -> dict[str, Any]:
        """Evaluates a checkpoint like `Estimator.evaluate`; metrics without keys apply to the scores."""
        return super().evaluate(metrics=regressor_metrics(metrics), **kwargs)
