"""Registry of layers and models by class name, for configurations."""

from __future__ import annotations

from collections import ChainMap
from collections.abc import Iterator, Mapping
from typing import Any

from tfmini._src.base.names.public import PublicNames
from tfmini._src.nn.layers.deserialize import deserialize_object
from tfmini._src.nn.layers.tensorflow_op_layer import AddLoss, AddMetric, TensorFlowOpLayer

_registered: dict[str, Any] = {cls.__name__: cls for cls in (AddLoss, AddMetric, TensorFlowOpLayer)}


_MODELS = ("Model", "Network", "Sequential")
_MODEL = PublicNames("tfmini.keras", "Model".__eq__)


class _Models(Mapping[str, type]):
    """The model classes; their module is loaded, and registers them, on first lookup."""

    def __getitem__(self, name: str) -> type:
        if name not in _MODELS or not _MODEL["Model"]:
            raise KeyError(name)
        return _registered[name]

    def __iter__(self) -> Iterator[str]:
        return iter(_MODELS)

    def __len__(self) -> int:
        return len(_MODELS)


def _is_layer(name: str) -> bool:
    return name[0].isupper() and name not in ("Input", "InputSpec")


_EXPERIMENTAL = ("LinearModel", "PeepholeLSTMCell", "SequenceFeatures", "WideDeepModel")

_LAYER_CLASSES: ChainMap = ChainMap(
    _registered,
    PublicNames("tfmini.keras.layers", _is_layer),  # type: ignore[arg-type]
    PublicNames("tfmini.keras.experimental", _EXPERIMENTAL.__contains__),  # type: ignore[arg-type]
    _Models(),  # type: ignore[arg-type]
)
_RENAMED_CLASSES = {
    "BatchNormalizationV1": "BatchNormalization",
    "BatchNormalizationV2": "BatchNormalization",
    **dict.fromkeys(("Deconv2D", "Deconvolution2D"), "Conv2DTranspose"),
    **dict.fromkeys(("Deconv3D", "Deconvolution3D"), "Conv3DTranspose"),
}


def register(*classes: type) -> None:
    """Registers classes that are not exported by `tf.keras.layers`."""
    _registered.update({cls.__name__: cls for cls in classes})


def is_known(cls: type) -> bool:
    """Whether a class is one of Keras's layers or models."""
    return cls.__name__ in _LAYER_CLASSES and _LAYER_CLASSES[cls.__name__] is cls


def class_named(name: str, custom_objects: Any = None) -> type | None:
    """Returns the layer or model class with this name; None if it is unknown."""
    return (custom_objects or {}).get(name) or _LAYER_CLASSES.get(name)


def deserialize_layer(config: Any, custom_objects: Any = None) -> Any:
    """Rebuilds the layer or model described by {"class_name": ..., "config": ...}, with new weights.

    Args:
      config: the result of `serialize`.
      custom_objects: custom classes and functions by name.

    Raises:
      ValueError: for an unknown class.
    """
    if config["class_name"] in _RENAMED_CLASSES:
        config = {**config, "class_name": _RENAMED_CLASSES[config["class_name"]]}
    return deserialize_object(config, _LAYER_CLASSES, custom_objects, "layer")
