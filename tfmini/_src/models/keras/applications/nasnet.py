"""`tf.keras.applications.nasnet`: stacks of two cells found by architecture search (Zoph et al., 2017)."""

from __future__ import annotations

import warnings
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from tfmini._src.base.names.signature import arguments_of
from tfmini._src.base.shapes.tensor_shape import ShapeLike
from tfmini._src.graph.tensor import TensorLike
from tfmini._src.models.keras.applications import imagenet_model
from tfmini._src.models.keras.applications.imagenet_model import (
    ModelOptions,
    Weights,
    model_documentation,
)
from tfmini._src.models.keras.applications.layer_classes import layers
from tfmini._src.models.keras.applications.nasnet_cells import Cells, normalize
from tfmini._src.nn.layers.backend.config import image_data_format, set_image_data_format

_PAPER = '"Learning Transferable Architectures for Scalable Image Recognition" (arXiv:1707.07012)'
_WEIGHTS_URL = "https://github.com/titu1994/Keras-NASNet/releases/download/v1.2/"


@dataclass(frozen=True)
class _Kind:
    """A variant of the network: image size, filter counts of the last and first layers, and number of cells."""

    size: int
    last_filters: int
    blocks: int
    first_filters: int
    skip_reduction: bool
    weights: Weights


_LARGE = _Kind(
    *(331, 4032, 6, 96, True),
    Weights(
        _WEIGHTS_URL,
        ("nasnet_large.h5=NASNet-large.h5", "11577c9a518f0070763c2b964a382f17"),
        ("nasnet_large_no_top.h5=NASNet-large-no-top.h5", "d81d89dc07e6e56530c4e77faddd61b5"),
    ),
)
_MOBILE = _Kind(
    *(224, 1056, 4, 32, False),
    Weights(
        _WEIGHTS_URL,
        ("nasnet_mobile.h5=NASNet-mobile.h5", "020fb642bf7360b370c678b08e0adf61"),
        ("nasnet_mobile_no_top.h5=NASNet-mobile-no-top.h5", "1ed92395b5b598bdda52abe5c0dbfd63"),
    ),
)


def _body(x: Any, architecture: _Kind) -> Any:
    filters = architecture.last_filters // 24
    x = layers.Conv2D(
        architecture.first_filters,
        3,
        strides=2,
        padding="valid",
        use_bias=False,
        name="stem_conv1",
        kernel_initializer="he_normal",
    )(x)
    cells = Cells(normalize(x, "stem_bn1"))
    cells.reduce(filters // 4, "stem_1")
    cells.reduce(filters // 2, "stem_2")
    for stage in range(3):
        if stage:
            previous_output = cells.previous
            cells.reduce(filters * 2**stage, f"reduce_{stage * architecture.blocks}")
            if architecture.skip_reduction:
                cells.previous = previous_output
        for position in range(architecture.blocks):
            index = stage * architecture.blocks + position + (1 if stage else 0)
            cells.keep(filters * 2**stage, str(index))
    return layers.Activation("relu")(cells.current)


def _nasnet(architecture: _Kind, options: ModelOptions) -> Any:
    shape = options.input_shape
    if isinstance(shape, tuple) and None in shape and options.weights == "imagenet":
        raise ValueError(
            "When specifying the input shape of a NASNet and loading `ImageNet` weights, the input_shape argument "
            f"must be static (no None entries). Got: `input_shape={shape}`."
        )
    shape = imagenet_model.input_shape(options, architecture.size, 32, static=True)
    data_format = image_data_format()
    if data_format != "channels_last":
        warnings.warn(
            'The NASNet family of models is only available for the input data format "channels_last" (width, '
            'height, channels). However your settings specify the default data format "channels_first" '
            '(channels, width, height). You should set `image_data_format="channels_last"` in your Keras config '
            "located at ~/.keras/keras.json. The model being returned right now will expect inputs to follow the "
            '"channels_last" data format.',
            stacklevel=3,
        )
        set_image_data_format("channels_last")
    try:
        start = imagenet_model.model_input(options, shape)
        x = imagenet_model.classification_top(options, _body(start, architecture), average=None)
        return imagenet_model.build_model(options, start, x, "NASNet", architecture.weights)
    finally:
        set_image_data_format(data_format)


@model_documentation("NASNet-A, large variant", _PAPER, 331, 32)
def NASNetLarge(
    input_shape: ShapeLike | Sequence[ShapeLike] | None = None,
    include_top: bool = True,
    weights: TensorLike = "imagenet",
    input_tensor: TensorLike | None = None,
    pooling: str | None = None,
    classes: int = 1000,
) -> Any:
    options = ModelOptions(include_top, weights, input_tensor, input_shape, pooling, classes)
    return _nasnet(_LARGE, options)


@model_documentation("NASNet-A, mobile variant", _PAPER, 224, 32)
@arguments_of(NASNetLarge)
def NASNetMobile(**kwargs: Any) -> Any:
    return _nasnet(_MOBILE, ModelOptions(**kwargs))
