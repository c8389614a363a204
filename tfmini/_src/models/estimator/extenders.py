"""Estimators derived from other Estimators: with more metrics, forwarded features, or clipped gradients."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Any

from tfmini._src.graph.composite_values import SparseTensor
from tfmini._src.graph.convert_to_tensor import convert_to_tensor_or_sparse_tensor
from tfmini._src.graph.tensor import Tensor, TensorLike
from tfmini._src.models.estimator.estimator import Estimator
from tfmini._src.models.estimator.estimator_spec import EstimatorSpec
from tfmini._src.models.estimator.export.export_output import PredictOutput
from tfmini._src.models.estimator.fn_args import accepted_arguments, parameter_names
from tfmini._src.models.estimator.mode_keys import ModeKeys
from tfmini._src.ops import ops
from tfmini._src.train.optimizers.optimizer import Optimizer

if TYPE_CHECKING:
    from tfmini._src.models.estimator.run_config import RunConfig


def add_metrics(estimator: Estimator, metric_fn: Callable[..., Any]) -> Estimator:
    """Returns an Estimator with additional evaluation metrics.

    Args:
      estimator: the Estimator.
      metric_fn: function that returns `tf.metrics` pairs by name; accepts any of `features`, `labels`,
        `predictions` and `config`.

    Returns:
      An Estimator in the same directory.

    Raises:
      ValueError: if `metric_fn` has other parameters.

    Example:
      def squares(labels, predictions):
          return {"rmse": tf.metrics.root_mean_squared_error(labels, predictions["predictions"])}

      estimator = tf.estimator.add_metrics(estimator, squares)
    """
    extras = list(set(parameter_names(metric_fn)) - {"features", "labels", "predictions", "config"})
    if extras:
        raise ValueError(f"metric_fn ({metric_fn}) has following not expected args: {extras}")

    def model(features: Any, labels: Any, mode: str, config: Any) -> EstimatorSpec:
        spec = estimator.model_fn(features, labels, mode, config)
        if mode != ModeKeys.EVAL:
            return spec
        values = {
            "features": features,
            "labels": labels,
            "predictions": spec.predictions,
            "config": config,
        }
        extra_metrics = metric_fn(**accepted_arguments(metric_fn, values))
        return spec._replace(eval_metric_ops={**(spec.eval_metric_ops or {}), **extra_metrics})

    return Estimator(
        model_fn=model,
        model_dir=estimator.model_dir,
        config=estimator.config,
        warm_start_from=estimator._warm_start_settings,
    )


def forward_features(
    estimator: Estimator,
    keys: TensorLike | None = None,
    sparse_default_values: dict[Any, Any] | None = None,
) -> Estimator:
    """Returns an Estimator whose predictions include features, to identify examples.

    Args:
      estimator: the Estimator, whose predictions are a dict.
      keys: feature name, or a list of them; None for all.
      sparse_default_values: values of missing entries, by sparse feature name.

    Raises:
      TypeError: if keys are not strings.
      ValueError: during prediction, if a feature is missing, sparse, or has the name of a prediction.
    """
    if isinstance(keys, str):
        keys = [keys]
    if keys is not None and not isinstance(keys, list | tuple):
        raise TypeError(f"keys should be either a string or a list of strings. Given: {type(keys)}")
    for key in keys or []:
        if not isinstance(key, str):
            raise TypeError(
                "All items in the given keys list should be a string. "
                f"There exist an item with type: {type(key)}"
            )

    def model(features: Any, labels: Any, mode: str, config: Any) -> EstimatorSpec:
        spec = estimator.model_fn(features, labels, mode, config)
        predictions, names = spec.predictions, features.keys() if keys is None else keys
        if predictions is None:
            return spec
        _check_forwarded(names, features, predictions)
        defaults = sparse_default_values or {}
        forwarded_features = {name: _dense(name, features[name], defaults) for name in names}
        spec = spec._replace(predictions={**predictions, **forwarded_features})
        for key in ("predict", "serving_default"):
            output = (spec.export_outputs or {}).get(key)
            if isinstance(output, PredictOutput):
                output.outputs.update(forwarded_features)
        return spec

    return Estimator(model_fn=model, model_dir=estimator.model_dir, config=estimator.config)


def _check_forwarded(names: Any, features: dict, predictions: Any) -> None:
    if not isinstance(predictions, dict):
        raise ValueError(
            f"Predictions should be a dict to be able to forward features. Given: {type(predictions)}"
        )
    for key in names:
        if key not in features:
            raise ValueError(
                f'keys should be exist in features. Key "{key}" is not in features dict. features dict has '
                f"following keys: {features.keys()}. Please check arguments of forward_features."
            )
        if key in predictions:
            raise ValueError(
                f"Cannot forward feature key ({key}). Since it does exist in predictions. Existing "
                f"prediction keys: {predictions.keys()}. Please check arguments of forward_features."
            )


def _dense(key: str, feature: Any, defaults: dict) -> Tensor:
    tensor = convert_to_tensor_or_sparse_tensor(feature)
    if key in defaults:
        if not isinstance(tensor, SparseTensor):
            raise ValueError(f"Feature ({key}) is expected to be a `SparseTensor`.")
        tensor = ops.sparse_tensor_to_dense(tensor, default_value=defaults[key])
    if not isinstance(tensor, Tensor):
        raise ValueError(
            f"Feature ({key}) should be a Tensor. Please use `keys` argument of forward_features to filter "
            f"unwanted features, oradd key to argument `sparse_default_values`.Type of features[{key}] is "
            f"{type(tensor)}."
        )
    return tensor


class _ClippingOptimizer(Optimizer):
    """Wraps an optimizer to clip its gradients by global norm."""

    def __init__(self, optimizer: Optimizer, clip_norm: float):
        super().__init__(use_locking=False, name="ClipByNorm" + optimizer.get_name())
        self._optimizer, self._clip_norm = optimizer, clip_norm

    def compute_gradients(self, *args: Any, **kwargs: Any) -> list:
        return self._optimizer.compute_gradients(*args, **kwargs)

    def apply_gradients(
        self, grads_and_vars: Any, global_step: Any = None, name: str | None = None
    ) -> Any:
        gradients, variables = zip(*grads_and_vars)
        clipped, _ = ops.clip_by_global_norm(list(gradients), self._clip_norm)
        return self._optimizer.apply_gradients(list(zip(clipped, variables)), global_step, name)

    def get_slot(self, *args: Any, **kwargs: Any) -> Any:
        return self._optimizer.get_slot(*args, **kwargs)

    def get_slot_names(self, *args: Any, **kwargs: Any) -> Any:
        return self._optimizer.get_slot_names(*args, **kwargs)


def clip_gradients_by_norm(optimizer: Optimizer, clip_norm: float) -> Optimizer:
    """Returns an optimizer whose gradients are clipped by global norm.

    Args:
      optimizer: the optimizer.
      clip_norm: maximum global norm.

    Example:
      adam = tf.train.AdamOptimizer()
      tf.estimator.DNNClassifier([8], columns, optimizer=tf.contrib.estimator.clip_gradients_by_norm(adam, 1.0))
    """
    return _ClippingOptimizer(optimizer, clip_norm)


def call_logit_fn(
    logit_fn: Callable[..., Any],
    features: TensorLike,
    mode: str,
    params: TensorLike,
    config: RunConfig,
) -> Any:
    """Calls a logit function with the arguments that it accepts.

    Args:
      logit_fn: function of `features` and any of `mode`, `params` and `config`.
      features, mode, params, config: the arguments.

    Returns:
      The logits: a tensor, or a dict of tensors.

    Raises:
      ValueError: for other results.
    """
    arguments = accepted_arguments(logit_fn, {"mode": mode, "params": params, "config": config})
    logits = logit_fn(features=features, **arguments)
    is_dict = isinstance(logits, dict) and all(
        isinstance(key, str) and isinstance(value, Tensor) for key, value in logits.items()
    )
    if not is_dict and not isinstance(logits, Tensor):
        raise ValueError(
            "logit_fn should return a Tensor or a dictionary mapping strings to Tensors.  "
            f"logit_fn returned: {logits}"
        )
    return logits
