"""`tf.keras.applications.xception`: depthwise separable convolutions (Chollet, 2016)."""

from __future__ import annotations

from typing import Any

from tfmini._src.models.keras.applications import imagenet_model
from tfmini._src.models.keras.applications.imagenet_model import (
    DEEP_LEARNING_MODELS,
    ModelOptions,
    application,
)
from tfmini._src.models.keras.applications.layer_classes import layers

_PAPER = '"Xception: Deep Learning with Depthwise Separable Convolutions" (arXiv:1610.02357)'
_FILES = imagenet_model.usual_weights(
    DEEP_LEARNING_MODELS + "v0.4/",
    "xception",
    "0a58e3b7378bc2990ea3b43d5981f1f6",
    "b0042744bf5b25fce3cb969f33bebb97",
)


def _normalize(x: Any, name: str | None = None) -> Any:
    return layers.BatchNormalization(axis=imagenet_model.channel_axis(), name=name)(x)


def _separable(x: Any, filters: int, name: str) -> Any:
    x = layers.SeparableConv2D(filters, 3, padding="same", use_bias=False, name=name)(x)
    return _normalize(x, name + "_bn")


def _halving(x: Any, block: int, filters: tuple[int, int]) -> Any:
    """Two separable convolutions and pooling, added to a projection of the input."""
    projected = _normalize(
        layers.Conv2D(filters[1], 1, strides=2, padding="same", use_bias=False)(x)
    )
    for index, options in enumerate(filters, 1):
        name = f"block{block}_sepconv{index}"
        if (block, index) != (2, 1):
            x = layers.Activation("relu", name=name + "_act")(x)
        x = _separable(x, options, name)
    x = layers.MaxPooling2D(3, strides=2, padding="same", name=f"block{block}_pool")(x)
    return layers.add([x, projected])


def _middle(x: Any, block: int) -> Any:
    """Three separable convolutions, added to their input."""
    block_input = x
    for index in (1, 2, 3):
        name = f"block{block}_sepconv{index}"
        x = _separable(layers.Activation("relu", name=name + "_act")(x), 728, name)
    return layers.add([x, block_input])


@application("Xception", _PAPER, 299, 71)
def Xception(options: ModelOptions) -> Any:
    start = x = imagenet_model.model_input(options, imagenet_model.input_shape(options, 299, 71))
    for name, filters, strides in (("block1_conv1", 32, 2), ("block1_conv2", 64, 1)):
        x = layers.Conv2D(filters, 3, strides=strides, use_bias=False, name=name)(x)
        x = layers.Activation("relu", name=name + "_act")(_normalize(x, name + "_bn"))
    for block, filters in ((2, 128), (3, 256), (4, 728)):
        x = _halving(x, block, (filters, filters))
    for block in range(5, 13):
        x = _middle(x, block)
    x = _halving(x, 13, (728, 1024))
    for index, filters in enumerate((1536, 2048), 1):
        name = f"block14_sepconv{index}"
        x = layers.Activation("relu", name=name + "_act")(_separable(x, filters, name))
    return imagenet_model.build_model(
        options, start, imagenet_model.classification_top(options, x), "xception", _FILES
    )
