"""`tf.keras.applications.mobilenet`: depthwise separable convolutions (Howard et al., 2017)."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from tfmini._src.base.shapes.tensor_shape import ShapeLike
from tfmini._src.graph.tensor import TensorLike
from tfmini._src.models.keras.applications import imagenet_model
from tfmini._src.models.keras.applications.imagenet_model import (
    DEEP_LEARNING_MODELS,
    ModelOptions,
    Weights,
    model_documentation,
)
from tfmini._src.models.keras.applications.layer_classes import layers
from tfmini._src.nn.layers.backend.config import image_data_format

_PAPER = (
    '"MobileNets: Efficient Convolutional Neural Networks for Mobile Vision Applications" '
    "(arXiv:1704.04861)"
)
_SIZES = [128, 160, 192, 224]
_ALPHAS = {1.0: "1_0", 0.75: "7_5", 0.5: "5_0", 0.25: "2_5"}

# Filters of the blocks; a block precedes a doubling if it halves the size.
_FILTERS = (64, 128, 128, 256, 256, *[512] * 6, 1024, 1024)
_HALVING_BLOCKS = (2, 4, 6, 12)

_OWN_ARGUMENTS_DOC = """
  alpha: width multiplier: factor of the number of filters per layer.
  depth_multiplier: number of output channels of the depthwise convolution per input channel.
  dropout: dropout rate before the classification layer."""


def _convolve(x: Any, layer: Any, name: str) -> Any:
    x = layers.BatchNormalization(axis=imagenet_model.channel_axis(), name=name + "_bn")(layer(x))
    return layers.ReLU(6.0, name=name + "_relu")(x)


def _depthwise_block(x: Any, filters: int, depth_multiplier: int, block: int) -> Any:
    strides, padding = 1, "same"
    if block in _HALVING_BLOCKS:
        strides, padding = 2, "valid"
        x = layers.ZeroPadding2D(((0, 1), (0, 1)), name=f"conv_pad_{block}")(x)
    depthwise, all_channels = f"conv_dw_{block}", f"conv_pw_{block}"
    layer = layers.DepthwiseConv2D(
        3,
        padding=padding,
        depth_multiplier=depth_multiplier,
        strides=strides,
        use_bias=False,
        name=depthwise,
    )
    x = _convolve(x, layer, depthwise)
    mixing = layers.Conv2D(filters, 1, padding="same", use_bias=False, strides=1, name=all_channels)
    return _convolve(x, mixing, all_channels)


def _top(options: ModelOptions, x: Any, channels: int, dropout: float) -> Any:
    first = image_data_format() == "channels_first"
    x = layers.GlobalAveragePooling2D()(x)
    x = layers.Reshape((channels, 1, 1) if first else (1, 1, channels), name="reshape_1")(x)
    x = layers.Dropout(dropout, name="dropout")(x)
    x = layers.Conv2D(options.classes, 1, padding="same", name="conv_preds")(x)
    x = layers.Reshape((options.classes,), name="reshape_2")(x)
    return layers.Activation("softmax", name="act_softmax")(x)


def _weights_image_size(rows: Any, columns: Any, alpha: float, depth_multiplier: int) -> int:
    """Returns the nearest image size with ImageNet weights."""
    if depth_multiplier != 1:
        raise ValueError("If imagenet weights are being loaded, depth multiplier must be 1")
    if alpha not in _ALPHAS:
        raise ValueError(
            "If imagenet weights are being loaded, alpha can be one of`0.25`, `0.50`, `0.75` or `1.0` only."
        )
    return imagenet_model.size_of_weights(rows, columns, _SIZES)


@model_documentation("MobileNet", _PAPER, 224, 32, _OWN_ARGUMENTS_DOC)
def MobileNet(
    input_shape: ShapeLike | Sequence[ShapeLike] | None = None,
    alpha: float = 1.0,
    depth_multiplier: int = 1,
    dropout: float = 1e-3,
    include_top: bool = True,
    weights: TensorLike = "imagenet",
    input_tensor: TensorLike | None = None,
    pooling: str | None = None,
    classes: int = 1000,
) -> Any:
    options = ModelOptions(include_top, weights, input_tensor, input_shape, pooling, classes)
    size = 224
    if input_shape is not None:
        rows, columns = imagenet_model.image_sides(input_shape)
        size = rows if rows == columns and rows in _SIZES else 224
    shape = imagenet_model.input_shape(options, size, 32)
    rows, columns = imagenet_model.image_sides(shape)
    if weights == "imagenet":
        rows = _weights_image_size(rows, columns, alpha, depth_multiplier)
    start = imagenet_model.model_input(options, shape)
    x = layers.ZeroPadding2D(padding=((0, 1), (0, 1)), name="conv1_pad")(start)
    layer = layers.Conv2D(
        int(32 * alpha), 3, padding="valid", use_bias=False, strides=2, name="conv1"
    )
    x = _convolve(x, layer, "conv1")
    for block, filters in enumerate(_FILTERS, 1):
        x = _depthwise_block(x, int(filters * alpha), depth_multiplier, block)
    if include_top:
        x = _top(options, x, int(1024 * alpha), dropout)
    else:
        x = imagenet_model.pool(options, x)
    file = f"mobilenet_{_ALPHAS.get(alpha)}_{rows}_tf"
    files = Weights(
        DEEP_LEARNING_MODELS + "v0.6/", (file + ".h5", None), (file + "_no_top.h5", None)
    )
    return imagenet_model.build_model(options, start, x, f"mobilenet_{alpha:0.2f}_{rows}", files)
