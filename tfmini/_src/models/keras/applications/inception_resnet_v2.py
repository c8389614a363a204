"""`tf.keras.applications.inception_resnet_v2`: Inception with residual connections (Szegedy et al., 2016)."""

from __future__ import annotations

from typing import Any

from tfmini._src.models.keras.applications import imagenet_model
from tfmini._src.models.keras.applications.imagenet_model import (
    DEEP_LEARNING_MODELS,
    ModelOptions,
    application,
)
from tfmini._src.models.keras.applications.layer_classes import layers

_PAPER = (
    '"Inception-v4, Inception-ResNet and the Impact of Residual Connections on Learning" '
    "(arXiv:1602.07261)"
)
_FILES = imagenet_model.usual_weights(
    DEEP_LEARNING_MODELS + "v0.7/",
    "inception_resnet_v2",
    "e693bd0210a403b3192acc6073ad2e96",
    "d19885ff4a710c122648d3b5c3b684e4",
)

# A convolution: (filters, kernel size, strides, padding), the last two optional; or a pooling.
_MAX, _AVERAGE = "max", "average"
_STEM: tuple[Any, ...] = (
    *((32, 3, 2, "valid"), (32, 3, 1, "valid"), (64, 3), _MAX),
    *((80, 1, 1, "valid"), (192, 3, 1, "valid"), _MAX),
)
_MIXED_5B = (
    ((96, 1),),
    ((48, 1), (64, 5)),
    ((64, 1), (96, 3), (96, 3)),
    (_AVERAGE, (64, 1)),
)
_MIXED_6A = (
    ((384, 3, 2, "valid"),),
    ((256, 1), (256, 3), (384, 3, 2, "valid")),
    (_MAX,),
)
_MIXED_7A = (
    ((256, 1), (384, 3, 2, "valid")),
    ((256, 1), (288, 3, 2, "valid")),
    ((256, 1), (288, 3), (320, 3, 2, "valid")),
    (_MAX,),
)

# Residual blocks: their branches and scale factor.
_RESIDUAL_BRANCHES: dict[str, tuple[float, tuple[Any, ...]]] = {
    "block35": (0.17, (((32, 1),), ((32, 1), (32, 3)), ((32, 1), (48, 3), (64, 3)))),
    "block17": (0.1, (((192, 1),), ((128, 1), (160, (1, 7)), (192, (7, 1))))),
    "block8": (0.2, (((192, 1),), ((192, 1), (224, (1, 3)), (256, (3, 1))))),
}


def _convolve(
    x: Any,
    filters: int,
    size: Any,
    strides: int = 1,
    padding: str = "same",
    name: str | None = None,
) -> Any:
    x = layers.Conv2D(filters, size, strides=strides, padding=padding, use_bias=False, name=name)(x)
    norm, activation = (name + "_bn", name + "_ac") if name else (None, None)
    x = layers.BatchNormalization(axis=imagenet_model.channel_axis(), scale=False, name=norm)(x)
    return layers.Activation("relu", name=activation)(x)


def _branch(x: Any, steps: tuple[Any, ...]) -> Any:
    for step in steps:
        if step == _MAX:
            x = layers.MaxPooling2D(3, strides=2)(x)
        elif step == _AVERAGE:
            x = layers.AveragePooling2D(3, strides=1, padding="same")(x)
        else:
            x = _convolve(x, *step)
    return x


def _mix(x: Any, branches: tuple[Any, ...], name: str) -> Any:
    outputs = [_branch(x, steps) for steps in branches]
    return layers.Concatenate(axis=imagenet_model.channel_axis(), name=name)(outputs)


def _weighted_sum(inputs: Any, scale: float) -> Any:
    return inputs[0] + inputs[1] * scale


def _residual_block(x: Any, block: str, index: int, last: bool = False) -> Any:
    """Adds the scaled output of a block's branches to `x`, with ReLU; the last block has neither scaling nor ReLU."""
    scale, branches = _RESIDUAL_BRANCHES[block]
    name = f"{block}_{index}"
    shape = imagenet_model.sizes(x)
    up = _mix(x, branches, name + "_mixed")
    up = layers.Conv2D(
        shape[imagenet_model.channel_axis()], 1, padding="same", name=name + "_conv"
    )(up)
    x = layers.Lambda(
        _weighted_sum,
        output_shape=shape[1:],
        arguments={"scale": 1.0 if last else scale},
        name=name,
    )([x, up])
    return x if last else layers.Activation("relu", name=name + "_ac")(x)


@application("Inception with residual connections", _PAPER, 299, 75)
def InceptionResNetV2(options: ModelOptions) -> Any:
    start = imagenet_model.model_input(options, imagenet_model.input_shape(options, 299, 75))
    x = _mix(_branch(start, _STEM), _MIXED_5B, "mixed_5b")
    for index in range(1, 11):
        x = _residual_block(x, "block35", index)
    x = _mix(x, _MIXED_6A, "mixed_6a")
    for index in range(1, 21):
        x = _residual_block(x, "block17", index)
    x = _mix(x, _MIXED_7A, "mixed_7a")
    for index in range(1, 11):
        x = _residual_block(x, "block8", index, last=index == 10)
    x = imagenet_model.classification_top(options, _convolve(x, 1536, 1, name="conv_7b"))
    return imagenet_model.build_model(options, start, x, "inception_resnet_v2", _FILES)
