"""`tf.keras.applications.densenet`: densely connected networks (Huang et al., 2016)."""

from __future__ import annotations

from typing import Any

from tfmini._src.models.keras.applications import imagenet_model
from tfmini._src.models.keras.applications.imagenet_model import (
    KERAS_APPLICATIONS,
    ModelOptions,
    application,
)
from tfmini._src.models.keras.applications.layer_classes import layers

_PAPER = '"Densely Connected Convolutional Networks" (arXiv:1608.06993)'
_GROWTH = 32
_WEIGHTS = {
    "densenet121": ("9d60b8095a5708f2dcce2bca79d332c7", "30ee3e1110167f948a6b9946edeeb738"),
    "densenet169": ("d699b8f76981ab1b30698df4c175e90b", "b8c4d4c20dd625c148057b9ff1c1176b"),
    "densenet201": ("1ceb130c1ea1b78c3bf6114dbdfd8807", "c13680b51ded0fb44dff2d8f86ac8bb1"),
}


def _activate(x: Any, normalization: str, activation: str) -> Any:
    axis = imagenet_model.channel_axis()
    x = layers.BatchNormalization(axis=axis, epsilon=1.001e-5, name=normalization)(x)
    return layers.Activation("relu", name=activation)(x)


def _conv_block(x: Any, name: str) -> Any:
    """Concatenates `x` with 32 new channels, computed by 1 x 1 and 3 x 3 convolutions."""
    block_output = _activate(x, name + "_0_bn", name + "_0_relu")
    block_output = layers.Conv2D(4 * _GROWTH, 1, use_bias=False, name=name + "_1_conv")(
        block_output
    )
    block_output = _activate(block_output, name + "_1_bn", name + "_1_relu")
    block_output = layers.Conv2D(_GROWTH, 3, padding="same", use_bias=False, name=name + "_2_conv")(
        block_output
    )
    return layers.Concatenate(axis=imagenet_model.channel_axis(), name=name + "_concat")(
        [x, block_output]
    )


def _transition_block(x: Any, name: str) -> Any:
    """Transition block: halves the number of channels, the height and the width."""
    x = _activate(x, name + "_bn", name + "_relu")
    channels = int(imagenet_model.sizes(x)[imagenet_model.channel_axis()] * 0.5)
    x = layers.Conv2D(channels, 1, use_bias=False, name=name + "_conv")(x)
    return layers.AveragePooling2D(2, strides=2, name=name + "_pool")(x)


def _densenet(layer_count: int, depths: tuple[int, ...], options: ModelOptions) -> Any:
    start = imagenet_model.model_input(options, imagenet_model.input_shape(options, 224, 32))
    x = layers.ZeroPadding2D(padding=((3, 3), (3, 3)))(start)
    x = layers.Conv2D(64, 7, strides=2, use_bias=False, name="conv1/conv")(x)
    x = _activate(x, "conv1/bn", "conv1/relu")
    x = layers.ZeroPadding2D(padding=((1, 1), (1, 1)))(x)
    x = layers.MaxPooling2D(3, strides=2, name="pool1")(x)
    for block, depth in enumerate(depths, 2):
        for index in range(1, depth + 1):
            x = _conv_block(x, f"conv{block}_block{index}")
        if block < len(depths) + 1:
            x = _transition_block(x, f"pool{block}")
    x = _activate(x, "bn", "relu")
    x = imagenet_model.classification_top(options, x, "fc1000", pools=("avg_pool", "max_pool"))
    name = f"densenet{layer_count}"
    files = imagenet_model.usual_weights(KERAS_APPLICATIONS + "densenet/", name, *_WEIGHTS[name])
    return imagenet_model.build_model(options, start, x, name, files)


@application("121-layer densely connected network", _PAPER, 224, 32)
def DenseNet121(options: ModelOptions) -> Any:
    return _densenet(121, (6, 12, 24, 16), options)


@application("169-layer densely connected network", _PAPER, 224, 32)
def DenseNet169(options: ModelOptions) -> Any:
    return _densenet(169, (6, 12, 32, 32), options)


@application("201-layer densely connected network", _PAPER, 224, 32)
def DenseNet201(options: ModelOptions) -> Any:
    return _densenet(201, (6, 12, 48, 32), options)
