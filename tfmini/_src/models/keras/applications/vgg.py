"""VGG: blocks of 3 x 3 convolutions, each at half the size of the previous block (Simonyan and Zisserman, 2014)."""

from __future__ import annotations

from typing import Any

from tfmini._src.models.keras.applications import imagenet_model
from tfmini._src.models.keras.applications.imagenet_model import (
    DEEP_LEARNING_MODELS,
    ModelOptions,
    application,
)
from tfmini._src.models.keras.applications.layer_classes import layers

_PAPER = '"Very Deep Convolutional Networks for Large-Scale Image Recognition" (arXiv:1409.1556)'
_FILTERS = (64, 128, 256, 512, 512)
_WEIGHTS = {
    "vgg16": ("64373286793e3c8b2b4e3219cbf3544b", "6d6bbae143d832006294945121d1f1fc"),
    "vgg19": ("cbe5617147190e668d6c5d5026f83318", "253f8cb515780f3b799900260a226db6"),
}


def _vgg(name: str, depths: tuple[int, ...], options: ModelOptions) -> Any:
    start = x = imagenet_model.model_input(options, imagenet_model.input_shape(options, 224, 32))
    for block, (filters, depth) in enumerate(zip(_FILTERS, depths, strict=True), 1):
        for index in range(1, depth + 1):
            convolution = f"block{block}_conv{index}"
            x = layers.Conv2D(filters, 3, activation="relu", padding="same", name=convolution)(x)
        x = layers.MaxPooling2D(2, strides=2, name=f"block{block}_pool")(x)
    if options.include_top:
        x = layers.Flatten(name="flatten")(x)
        for layer in ("fc1", "fc2"):
            x = layers.Dense(4096, activation="relu", name=layer)(x)
        x = layers.Dense(options.classes, activation="softmax", name="predictions")(x)
    else:
        x = imagenet_model.pool(options, x)
    files = imagenet_model.usual_weights(DEEP_LEARNING_MODELS + "v0.1/", name, *_WEIGHTS[name])
    return imagenet_model.build_model(options, start, x, name, files)


@application("VGG with 16 weight layers", _PAPER, 224, 32)
def VGG16(options: ModelOptions) -> Any:
    return _vgg("vgg16", (2, 2, 3, 3, 3), options)


@application("VGG with 19 weight layers", _PAPER, 224, 32)
def VGG19(options: ModelOptions) -> Any:
    return _vgg("vgg19", (2, 2, 4, 4, 4), options)
