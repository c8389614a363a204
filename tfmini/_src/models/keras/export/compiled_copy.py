"""Copies of models, compiled like their originals."""

from __future__ import annotations

from typing import Any

from tfmini._src.models.keras.optimizers.optimizer_by_name import TFOptimizer
from tfmini._src.nn.layers.custom_objects import custom_object_scope
from tfmini._src.nn.layers.metric import Metric


def optimizer_config(model: Any) -> Any:
    """Returns the config of a model's optimizer, None for `tf.train` optimizers; must run in the model's graph."""
    optimizer = model.optimizer
    return None if isinstance(optimizer, TFOptimizer) or not optimizer else optimizer.get_config()


def compile_copy(
    copy: Any,
    model: Any,
    config: Any,
    target_tensors: Any = None,
    iterations: Any = None,
    custom_objects: Any = None,
) -> None:
    """Compiles a copy like the original model.

    Args:
      copy: the copy.
      model: the model.
      config: the configuration of the model's optimizer.
      target_tensors: targets of the copy's outputs; by default fed placeholders.
      iterations: the step variable, by default a new one.
      custom_objects: custom classes and functions by name.
    """
    if isinstance(model.optimizer, TFOptimizer):
        optimizer: Any = TFOptimizer(model.optimizer.optimizer, iterations)
    else:
        optimizer = type(model.optimizer).from_config(config)
        if iterations is not None:
            optimizer.iterations = iterations
    with custom_object_scope(custom_objects or {}):
        copy.compile(
            optimizer,
            model.loss,
            metrics=_copy_metrics(model._compile_metrics),
            loss_weights=model.loss_weights,
            sample_weight_mode=model.sample_weight_mode,
            weighted_metrics=_copy_metrics(model._compile_weighted_metrics),
            target_tensors=target_tensors,
        )


def _copy_metrics(metrics: Any) -> Any:
    """Returns metrics of the same configuration with separate state; returns names and functions unchanged."""
    if isinstance(metrics, Metric):
        return type(metrics).from_config(metrics.get_config())
    if isinstance(metrics, dict):
        return {name: _copy_metrics(metric) for name, metric in metrics.items()}
    if isinstance(metrics, (list, tuple)):
        return [_copy_metrics(metric) for metric in metrics]
    return metrics
