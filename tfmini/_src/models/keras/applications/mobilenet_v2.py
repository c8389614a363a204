"""`tf.keras.applications.mobilenet_v2`: inverted residual blocks (Sandler et al., 2018)."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from tfmini._src.base.shapes.tensor_shape import ShapeLike
from tfmini._src.graph.tensor import TensorLike
from tfmini._src.models.keras.applications import imagenet_model
from tfmini._src.models.keras.applications.imagenet_model import (
    KERNELS,
    ModelOptions,
    Weights,
    model_documentation,
)
from tfmini._src.models.keras.applications.layer_classes import layers
from tfmini._src.nn.layers.backend.tensor_values import is_keras_tensor

_PAPER = '"MobileNetV2: Inverted Residuals and Linear Bottlenecks" (arXiv:1801.04381)'
_WEIGHTS_URL = "https://github.com/JonathanCMitchell/mobilenet_v2_keras/releases/download/v1.1/"
_SIZES = [96, 128, 160, 192, 224]
_ALPHAS = (0.35, 0.5, 0.75, 1.0, 1.3, 1.4)

# Per stage: filters, blocks, strides of the first block.
_STAGES = (
    *((16, 1, 1), (24, 2, 2), (32, 3, 2), (64, 4, 2)),
    *((96, 3, 1), (160, 3, 2), (320, 1, 1)),
)

_OWN_ARGUMENTS_DOC = """
  alpha: width multiplier: factor of the number of filters per layer."""


def _multiple_of_8(value: float) -> int:
    """Returns the nearest multiple of 8 that is at least nine tenths of `value`."""
    rounded = max(8, int(value + 4) // 8 * 8)
    return rounded + 8 if rounded < 0.9 * value else rounded


def _normalize(x: Any, name: str) -> Any:
    axis = imagenet_model.channel_axis()
    return layers.BatchNormalization(axis=axis, epsilon=1e-3, momentum=0.999, name=name)(x)


def _pointwise(x: Any, filters: int, name: str) -> Any:
    layer = layers.Conv2D(
        filters, kernel_size=1, padding="same", use_bias=False, activation=None, name=name
    )
    return _normalize(layer(x), name + "_BN")


def _inverted_residual_block(
    x: Any, filters: int, stride: int, index: int, expansion: int = 6
) -> Any:
    """Inverted residual block: expansion, depthwise convolution and projection; adds the input if the shapes match."""
    block_input, channels = x, imagenet_model.sizes(x)[imagenet_model.channel_axis()]
    prefix = f"block_{index}_" if index else "expanded_conv_"
    if index:
        x = _pointwise(x, expansion * channels, prefix + "expand")
        x = layers.ReLU(6.0, name=prefix + "expand_relu")(x)
    if stride == 2:
        x = layers.ZeroPadding2D(
            padding=imagenet_model.stride_2_padding(x, 3), name=prefix + "pad"
        )(x)
    padding = "same" if stride == 1 else "valid"
    depthwise = layers.DepthwiseConv2D(
        kernel_size=3,
        strides=stride,
        activation=None,
        use_bias=False,
        padding=padding,
        name=prefix + "depthwise",
    )
    x = _normalize(depthwise(x), prefix + "depthwise_BN")
    x = layers.ReLU(6.0, name=prefix + "depthwise_relu")(x)
    x = _pointwise(x, filters, prefix + "project")
    if channels == filters and stride == 1:
        return layers.Add(name=prefix + "add")([block_input, x])
    return x


def _body(x: Any, alpha: float) -> Any:
    x = layers.ZeroPadding2D(padding=imagenet_model.stride_2_padding(x, 3), name="Conv1_pad")(x)
    first = _multiple_of_8(32 * alpha)
    entry = layers.Conv2D(
        first, kernel_size=3, strides=(2, 2), padding="valid", use_bias=False, name="Conv1"
    )
    x = layers.ReLU(6.0, name="Conv1_relu")(_normalize(entry(x), "bn_Conv1"))
    index = 0
    for filters, blocks, strides in _STAGES:
        for position in range(blocks):
            x = _inverted_residual_block(
                x, _multiple_of_8(int(filters * alpha)), 1 if position else strides, index
            )
            index += 1
    last = _multiple_of_8(1280 * alpha) if alpha > 1.0 else 1280
    x = layers.Conv2D(last, kernel_size=1, use_bias=False, name="Conv_1")(x)
    return layers.ReLU(6.0, name="out_relu")(_normalize(x, "Conv_1_bn"))


def _default_size(input_shape: Any, input_tensor: Any) -> int:
    """Returns the image size if weights for it exist, else 224."""
    if input_shape is not None:
        if input_tensor is not None:
            _check_same(input_shape, input_tensor)
        rows, columns = imagenet_model.image_sides(input_shape)
    elif input_tensor is not None and _is_layer_output(
        input_tensor,
        *("input_tensor: ", input_tensor, "is type: ", type(input_tensor)),
        "which is not a valid type",
    ):
        rows, columns = imagenet_model.image_sides(imagenet_model.sizes(input_tensor)[1:])
    else:
        return 224
    return rows if rows == columns and rows in _SIZES else 224


def _is_layer_output(tensor: Any, *results: Any) -> bool:
    try:
        return is_keras_tensor(tensor)
    except ValueError:
        raise ValueError(*results) from None


def _check_same(input_shape: Any, input_tensor: Any) -> None:
    message = "input_tensor: ", input_tensor, "is not type input_tensor"
    if not _is_layer_output(input_tensor, *message):
        raise ValueError("input_tensor specified: ", input_tensor, "is not a keras tensor")
    if imagenet_model.sizes(input_tensor)[2] != input_shape[1]:
        raise ValueError(
            *("input_shape: ", input_shape, "and input_tensor: ", input_tensor),
            "do not meet the same shape requirements",
        )


def _weights_image_size(rows: Any, columns: Any, alpha: float) -> int:
    """Returns the nearest image size with ImageNet weights."""
    if alpha not in _ALPHAS:
        raise ValueError(
            "If imagenet weights are being loaded, alpha can be one of `0.35`, `0.50`, `0.75`, `1.0`, `1.3` or "
            "`1.4` only."
        )
    return imagenet_model.size_of_weights(rows, columns, _SIZES)


@model_documentation("MobileNet v2", _PAPER, 224, 32, _OWN_ARGUMENTS_DOC)
def MobileNetV2(
    input_shape: ShapeLike | Sequence[ShapeLike] | None = None,
    alpha: float = 1.0,
    include_top: bool = True,
    weights: TensorLike = "imagenet",
    input_tensor: TensorLike | None = None,
    pooling: str | None = None,
    classes: int = 1000,
) -> Any:
    options = ModelOptions(include_top, weights, input_tensor, input_shape, pooling, classes)
    shape = imagenet_model.input_shape(options, _default_size(input_shape, input_tensor), 32)
    rows, columns = imagenet_model.image_sides(shape)
    if weights == "imagenet":
        rows = _weights_image_size(rows, columns, alpha)
    start = imagenet_model.model_input(options, shape)
    x = imagenet_model.classification_top(options, _body(start, alpha), "Logits", average=None)
    file = f"mobilenet_v2{KERNELS}_{alpha}_{rows}"
    files = Weights(_WEIGHTS_URL, (file + ".h5", None), (file + "_no_top.h5", None))
    return imagenet_model.build_model(options, start, x, f"mobilenetv2_{alpha:0.2f}_{rows}", files)
