"""Shared parts of the ImageNet models: arguments and their checks, input, top, weight files."""

from __future__ import annotations

import functools
import os
import warnings
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any

from tfmini._src.graph.tensor import Tensor
from tfmini._src.models.keras.applications.layer_classes import layers, layers_from
from tfmini._src.models.keras.engine.model import Model
from tfmini._src.models.keras.utils.get_file import get_file
from tfmini._src.models.keras.utils.source_inputs import get_source_inputs
from tfmini._src.nn.layers.backend.config import image_data_format
from tfmini._src.nn.layers.backend.tensor_values import is_keras_tensor

KERNELS = "_weights_tf_dim_ordering_tf_kernels"
DEEP_LEARNING_MODELS = "https://github.com/fchollet/deep-learning-models/releases/download/"
KERAS_APPLICATIONS = "https://github.com/keras-team/keras-applications/releases/download/"


@dataclass(frozen=True)
class Weights:
    """Location of ImageNet weights: directory URL, and the file name and MD5 hash with and without the top.

    A file name "local=remote" specifies different local and remote names.
    """

    base_url: str
    with_top: tuple[str, str | None]
    headless: tuple[str, str | None]

    def fetch(self, include_top: bool) -> str:
        """Returns the path of the file, downloaded if missing."""
        name, checksum = self.with_top if include_top else self.headless
        file_name, _, url_name = name.partition("=")
        return get_file(
            file_name,
            self.base_url + (url_name or file_name),
            cache_subdir="models",
            file_hash=checksum,
        )


def usual_weights(directory: str, model: str, with_top: str, headless: str) -> Weights:
    """Returns Weights with file names in the standard scheme and the given MD5 hashes."""
    return Weights(
        directory, (f"{model}{KERNELS}.h5", with_top), (f"{model}{KERNELS}_notop.h5", headless)
    )


@dataclass(frozen=True)
class ModelOptions:
    """The caller's arguments, common to all models."""

    include_top: bool
    weights: Any
    input_tensor: Any
    input_shape: Any
    pooling: str | None
    classes: int

    def __post_init__(self) -> None:
        if not (self.weights in ("imagenet", None) or os.path.exists(self.weights)):
            raise ValueError(
                "The `weights` argument should be either `None` (random initialization), `imagenet` "
                "(pre-training on ImageNet), or the path to the weights file to be loaded."
            )
        if self.weights == "imagenet" and self.include_top and self.classes != 1000:
            raise ValueError(
                'If using `weights` as `"imagenet"` with `include_top` as true, `classes` should be 1000'
            )


def input_shape(
    options: ModelOptions, size: int, smallest: int, static: bool | None = None
) -> tuple[int | None, ...]:
    """Returns the given or default shape of one image; `static` (with the top) requires it to be fully defined."""
    shape, static = options.input_shape, options.include_top if static is None else static
    first = image_data_format() == "channels_first"
    is_imagenet = options.weights == "imagenet"
    channels = 3
    if not is_imagenet and shape and len(shape) == 3:
        channels = shape[0 if first else -1]
        if channels not in (1, 3):
            warnings.warn(
                "This model usually expects 1 or 3 input channels. However, it was passed an input_shape with "
                f"{channels} input channels.",
                stacklevel=5,
            )
    default = (channels, size, size) if first else (size, size, channels)
    if is_imagenet and static:
        if shape is not None and shape != default:
            raise ValueError(
                f"When setting `include_top=True` and loading `imagenet` weights, `input_shape` should be {default}."
            )
        return default
    if shape:
        _check_shape(shape, smallest, is_imagenet)
    elif static:
        shape = default
    else:
        shape = (3, None, None) if first else (None, None, 3)
    if static and None in shape:
        raise ValueError(
            f"If `include_top` is True, you should specify a static `input_shape`. Got `input_shape={shape}`"
        )
    return shape


def _check_shape(shape: Any, smallest: int, is_imagenet: bool) -> None:
    if len(shape) != 3:
        raise ValueError("`input_shape` must be a tuple of three integers.")
    first = image_data_format() == "channels_first"
    if is_imagenet and shape[0 if first else -1] != 3:
        raise ValueError(f"The input must have 3 channels; got `input_shape={shape}`")
    sides = shape[1:] if first else shape[:2]
    if any(side is not None and side < smallest for side in sides):
        raise ValueError(
            f"Input size must be at least {smallest}x{smallest}; got `input_shape={shape}`"
        )


def model_input(options: ModelOptions, shape: Any) -> Any:
    """Returns the input tensor of a model: the caller's tensor, or a new placeholder."""
    input_tensor = options.input_tensor
    if input_tensor is None:
        return layers.Input(shape=shape)
    return (
        input_tensor
        if is_keras_tensor(input_tensor)
        else layers.Input(tensor=input_tensor, shape=shape)
    )


def classification_top(
    options: ModelOptions,
    x: Any,
    predictions: str = "predictions",
    average: str | None = "avg_pool",
    pools: tuple[str | None, str | None] = (None, None),
) -> Any:
    """Adds the top, which outputs class probabilities; without it, optionally pools the features.

    Args:
      predictions, average: layer names in the top.
      pools: names of the average and maximum pooling layers without the top.
    """
    if options.include_top:
        x = layers.GlobalAveragePooling2D(name=average)(x)
        return layers.Dense(options.classes, activation="softmax", name=predictions)(x)
    return pool(options, x, pools)


def pool(options: ModelOptions, x: Any, names: tuple[str | None, str | None] = (None, None)) -> Any:
    """Returns the features of a model without the top: averaged, maximized, or unpooled."""
    if options.pooling == "avg":
        return layers.GlobalAveragePooling2D(name=names[0])(x)
    if options.pooling == "max":
        return layers.GlobalMaxPooling2D(name=names[1])(x)
    return x


def build_model(
    options: ModelOptions, start: Any, end: Any, name: str, weights: Weights | None
) -> Any:
    """Creates the model and loads its weights."""
    input_tensor = options.input_tensor
    model = Model(
        start if input_tensor is None else get_source_inputs(input_tensor), end, name=name
    )
    if options.weights == "imagenet" and weights is not None:
        model.load_weights(weights.fetch(options.include_top))
    elif options.weights is not None:
        model.load_weights(options.weights)
    return model


def channel_axis() -> int:
    """Returns the channel axis of an image batch: 3 or 1."""
    return 1 if image_data_format() == "channels_first" else 3


def sizes(x: Any) -> tuple[Any, ...]:
    """Returns the static shape of a batch."""
    return tuple(x.shape.as_list())


def image_sides(shape: Any) -> Any:
    """Returns the height and width from an image shape."""
    return shape[1:3] if image_data_format() == "channels_first" else shape[:2]


def size_of_weights(rows: Any, columns: Any, sizes: list[int]) -> int:
    """Returns the size of square images with ImageNet weights; for other images, warns and returns 224."""
    if rows == columns and rows in sizes:
        return rows
    warnings.warn(
        f"`input_shape` is undefined or non-square, or `rows` is not in {sizes}. Weights for input shape (224, 224) "
        "will be loaded as the default.",
        stacklevel=4,
    )
    return 224


def stride_2_padding(x: Any, kernel: int) -> tuple[tuple[int, int], tuple[int, int]]:
    """Returns the padding of a stride-2 convolution whose windows match TensorFlow's "SAME"."""
    first = channel_axis() % 3 + 1
    size = sizes(x)[first : first + 2]
    is_odd = (0, 0) if size[0] is None else (size[0] % 2, size[1] % 2)
    half = kernel // 2
    return (half - 1 + is_odd[0], half), (half - 1 + is_odd[1], half)


def model_documentation(
    architecture: str, paper: str, size: int, smallest: int, first: str = ""
) -> Any:
    """Decorator that sets the docstring of a model function and adds the argument `layers`."""

    def decorate(function: Any) -> Any:
        @functools.wraps(function)
        def model(*args: Any, **kwargs: Any) -> Any:
            for name in ("backend", "models", "utils"):
                kwargs.pop(name, None)
            if "layers" not in kwargs:
                return function(*args, **kwargs)
            with layers_from(kwargs.pop("layers")):
                return function(*args, **kwargs)

        model.__doc__ = f"""{architecture}, from {paper}.

Args:{first}
  include_top: whether to include the classification layers.
  weights: "imagenet" for pretrained weights, downloaded to ~/.keras/models; a file path; None for random weights.
  input_tensor: the input: a layer's output or another tensor; by default a new `Input`.
  input_shape: shape of one image, by default ({size}, {size}, 3); without the top, at least {smallest} x {smallest}.
  pooling: without the top: "avg" or "max" over positions; None for unpooled [batch, rows, columns, channels].
  classes: number of classes.
  layers: a module or object whose layer classes replace `tf.keras.layers`. `backend`, `models` and `utils`,
    as in keras_applications, are ignored, as in TensorFlow.

Returns:
  A `tf.keras.Model` from images, float [batch, height, width, channels] as returned by `preprocess_input`, to
  probabilities, [batch, classes].

Raises:
  ValueError: for an `input_shape` or `classes` incompatible with the weights or the model.
  OSError: if the download fails.

Example:
  model = tf.keras.applications.{function.__name__}(weights=None, classes=10)
"""
        return model

    return decorate


def application(architecture: str, paper: str, size: int, smallest: int) -> Callable[..., Any]:
    """Decorator that turns a function of `ModelOptions` into a public function with the standard arguments."""

    def decorate(build: Callable[[ModelOptions], Model]) -> Any:
        def model(
            include_top: bool = True,
            weights: str = "imagenet",
            input_tensor: Tensor | None = None,
            input_shape: Sequence[int] | None = None,
            pooling: str | None = None,
            classes: int = 1000,
        ) -> Model:
            return build(
                ModelOptions(include_top, weights, input_tensor, input_shape, pooling, classes)
            )

        model.__name__ = model.__qualname__ = build.__name__
        model.__module__ = build.__module__
        return model_documentation(architecture, paper, size, smallest)(model)

    return decorate
