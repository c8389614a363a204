"""The compile arguments of a model as plain data."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from tfmini._src.base import logs
from tfmini._src.models.keras.losses import loss_by_name as losses
from tfmini._src.models.keras.metrics import metric_by_name as metrics
from tfmini._src.models.keras.optimizers import optimizer_by_name as optimizers
from tfmini._src.models.keras.optimizers.optimizer_by_name import TFOptimizer
from tfmini._src.saved_model.objects.restored_optimizer import RestoredOptimizer

_NO_CONFIG = (
    "TensorFlow optimizers do not make it possible to access optimizer attributes or optimizer state after "
    "instantiation. As a result, we cannot save the optimizer as part of the model save file. You will have to compile "
    "your model again after loading it. Prefer using a Keras optimizer instead (see keras.io/optimizers)."
)
_RESTORED_OPTIMIZER_ERROR = (
    "As of now, Optimizers loaded from SavedModel cannot be saved. If you're calling `model.save` or "
    "`tf.keras.models.save_model`, please set the `include_optimizer` option to `False`. For `tf.saved_model.save`, "
    "delete the optimizer from the model."
)


def metadata(model: Any, include_optimizer: bool, requires_config: bool = True) -> dict[str, Any]:
    """Returns the metadata stored with a model's weights: class, configuration and compile arguments.

    Args:
      model: the model.
      include_optimizer: whether to include the compile arguments.
      requires_config: whether a configuration is required, which subclassed models lack.

    Raises:
      NotImplementedError: if a required configuration is missing, or the optimizer comes from a SavedModel.
    """
    config: dict[str, Any] = {"class_name": type(model).__name__}
    try:
        config["config"] = model.get_config()
    except NotImplementedError:
        if requires_config:
            raise _without_config() from None
    collected: dict[str, Any] = {
        "keras_version": "2.2.4-tf",
        "backend": "tensorflow",
        "model_config": config,
    }
    if model.optimizer and include_optimizer:
        if isinstance(model.optimizer, TFOptimizer):
            logs.warning(_NO_CONFIG)
        elif isinstance(model.optimizer, RestoredOptimizer):
            raise NotImplementedError(_RESTORED_OPTIMIZER_ERROR)
        else:
            collected["training_config"] = {
                "loss": model.loss,
                "metrics": model._compile_metrics,
                "weighted_metrics": model._compile_weighted_metrics,
                "sample_weight_mode": model.sample_weight_mode,
                "loss_weights": model.loss_weights,
                "optimizer_config": optimizers.serialize(model.optimizer),
            }
    return collected


def _without_config() -> NotImplementedError:
    return NotImplementedError(
        "Saving the model to HDF5 format requires the model to be a Functional model or a Sequential model. It does "
        "not work for subclassed models, because such models are defined via the body of a Python method, which "
        "isn't safely serializable. Consider saving to the Tensorflow SavedModel format (by setting "
        'save_format="tf") or using `save_weights`.'
    )


def compile_arguments(config: dict[str, Any], custom_objects: Any = None) -> dict[str, Any]:
    """Returns the `compile` arguments from a configuration.

    Args:
      config: the configuration.
      custom_objects: custom classes and functions by name.
    """
    custom = custom_objects or {}

    def restore(value: Any, deserialize: Callable[..., Any]) -> Any:
        if isinstance(value, str):
            return custom.get(value, value)
        if isinstance(value, dict) and "class_name" in value:
            return deserialize(value, custom)
        if isinstance(value, dict):
            return {key: restore(item, deserialize) for key, item in value.items()}
        return [restore(item, deserialize) for item in value] if isinstance(value, list) else value

    return {
        "optimizer": optimizers.deserialize(config["optimizer_config"], custom),
        "loss": restore(config["loss"], losses.deserialize),
        "metrics": restore(config["metrics"], metrics.deserialize),
        "weighted_metrics": restore(config.get("weighted_metrics"), metrics.deserialize),
        "loss_weights": config["loss_weights"],
        "sample_weight_mode": config["sample_weight_mode"],
    }
