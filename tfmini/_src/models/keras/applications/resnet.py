"""Residual networks: blocks with a shortcut from input to output (He et al., 2015, 2016)."""

from __future__ import annotations

from typing import Any

from tfmini._src.models.keras.applications import imagenet_model
from tfmini._src.models.keras.applications.imagenet_model import (
    KERAS_APPLICATIONS,
    ModelOptions,
    application,
)
from tfmini._src.models.keras.applications.layer_classes import layers

_V1_PAPER = '"Deep Residual Learning for Image Recognition" (arXiv:1512.03385)'
_V2_PAPER = '"Identity Mappings in Deep Residual Networks" (arXiv:1603.05027)'
_FILTERS = (64, 128, 256, 512)
_WEIGHTS = {
    "resnet50": ("2cb95161c43110f7111970584f804107", "4d473c1dd8becc155b73f8504c6f6626"),
    "resnet101": ("f1aeb4b969a6efcfb50fad2f0c20cfc5", "88cf7a10940856eca736dc7b7e228a21"),
    "resnet152": ("100835be76be38e30d865e96f2aaae62", "ee4c566cf9a93f14d82f913c2dc6dd0c"),
    "resnet50v2": ("3ef43a0b657b3be2300d5770ece849e0", "fac2f116257151a9d068a22e544a4917"),
    "resnet101v2": ("6343647c601c52e1368623803854d971", "c0ed64b8031c3730f411d2eb4eea35b5"),
    "resnet152v2": ("a49b44d1979771252814e80f8ec446f9", "ed17cf2e0169df9d443503ef94b23b33"),
}
_ONE_PIXEL = (1, 1), (1, 1)  # margins of one row and column
_DEPTHS = {50: (3, 4, 6, 3), 101: (3, 4, 23, 3), 152: (3, 8, 36, 3)}


def _normalize(x: Any, name: str) -> Any:
    return layers.BatchNormalization(
        axis=imagenet_model.channel_axis(), epsilon=1.001e-5, name=name
    )(x)


def _activate(x: Any, name: str) -> Any:
    """Applies batch normalization and ReLU, in layers `name`_bn and `name`_relu."""
    return layers.Activation("relu", name=name + "_relu")(_normalize(x, name + "_bn"))


def _bottleneck_block(x: Any, filters: int, stride: int, first: bool, name: str) -> Any:
    """Bottleneck block: 1 x 1, 3 x 3 and 1 x 1 convolutions (the last with 4 `filters`), a shortcut, and ReLU."""
    shortcut = x
    if first:
        shortcut = layers.Conv2D(4 * filters, 1, strides=stride, name=name + "_0_conv")(x)
        shortcut = _normalize(shortcut, name + "_0_bn")
    x = _activate(layers.Conv2D(filters, 1, strides=stride, name=name + "_1_conv")(x), name + "_1")
    x = _activate(layers.Conv2D(filters, 3, padding="SAME", name=name + "_2_conv")(x), name + "_2")
    x = _normalize(layers.Conv2D(4 * filters, 1, name=name + "_3_conv")(x), name + "_3_bn")
    x = layers.Add(name=name + "_add")([shortcut, x])
    return layers.Activation("relu", name=name + "_out")(x)


def _preactivated_block(x: Any, filters: int, stride: int, first: bool, name: str) -> Any:
    """Bottleneck block with normalization and ReLU before each convolution, but not after the addition."""
    activated = _activate(x, name + "_preact")
    shortcut = x
    if first:
        shortcut = layers.Conv2D(4 * filters, 1, strides=stride, name=name + "_0_conv")(activated)
    elif stride > 1:
        shortcut = layers.MaxPooling2D(1, strides=stride)(x)
    x = layers.Conv2D(filters, 1, strides=1, use_bias=False, name=name + "_1_conv")(activated)
    x = layers.ZeroPadding2D(padding=_ONE_PIXEL, name=name + "_2_pad")(_activate(x, name + "_1"))
    x = layers.Conv2D(filters, 3, strides=stride, use_bias=False, name=name + "_2_conv")(x)
    x = layers.Conv2D(4 * filters, 1, name=name + "_3_conv")(_activate(x, name + "_2"))
    return layers.Add(name=name + "_out")([shortcut, x])


def _stacks(x: Any, depths: tuple[int, ...], preactivated: bool) -> Any:
    """Applies four stacks of blocks, halving the size in the first block of a stack; in its last if `preactivated`."""
    block = _preactivated_block if preactivated else _bottleneck_block
    for stack, (filters, depth) in enumerate(zip(_FILTERS, depths, strict=True), 2):
        full, halving = (5, depth) if preactivated else (2, 1)
        for index in range(1, depth + 1):
            stride = 2 if index == halving and stack != full else 1
            x = block(x, filters, stride, index == 1, f"conv{stack}_block{index}")
    return x


def _resnet(layer_count: int, preactivated: bool, options: ModelOptions) -> Any:
    start = imagenet_model.model_input(options, imagenet_model.input_shape(options, 224, 32))
    x = layers.ZeroPadding2D(padding=((3, 3), (3, 3)), name="conv1_pad")(start)
    x = layers.Conv2D(64, 7, strides=2, name="conv1_conv")(x)
    if not preactivated:
        x = _activate(x, "conv1")
    x = layers.ZeroPadding2D(padding=_ONE_PIXEL, name="pool1_pad")(x)
    x = layers.MaxPooling2D(3, strides=2, name="pool1_pool")(x)
    x = _stacks(x, _DEPTHS[layer_count], preactivated)
    if preactivated:
        x = _activate(x, "post")
    x = imagenet_model.classification_top(options, x, "probs", pools=("avg_pool", "max_pool"))
    name = f"resnet{layer_count}{'v2' if preactivated else ''}"
    files = imagenet_model.usual_weights(KERAS_APPLICATIONS + "resnet/", name, *_WEIGHTS[name])
    return imagenet_model.build_model(options, start, x, name, files)


@application("50-layer residual network", _V1_PAPER, 224, 32)
def ResNet50(options: ModelOptions) -> Any:
    return _resnet(50, False, options)


@application("101-layer residual network", _V1_PAPER, 224, 32)
def ResNet101(options: ModelOptions) -> Any:
    return _resnet(101, False, options)


@application("152-layer residual network", _V1_PAPER, 224, 32)
def ResNet152(options: ModelOptions) -> Any:
    return _resnet(152, False, options)


@application("50-layer pre-activation residual network", _V2_PAPER, 224, 32)
def ResNet50V2(options: ModelOptions) -> Any:
    return _resnet(50, True, options)


@application("101-layer pre-activation residual network", _V2_PAPER, 224, 32)
def ResNet101V2(options: ModelOptions) -> Any:
    return _resnet(101, True, options)


@application("152-layer pre-activation residual network", _V2_PAPER, 224, 32)
def ResNet152V2(options: ModelOptions) -> Any:
    return _resnet(152, True, options)
