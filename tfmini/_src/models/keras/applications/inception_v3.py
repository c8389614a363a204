"""`tf.keras.applications.inception_v3`: parallel convolution branches (Szegedy et al., 2015)."""

from __future__ import annotations

from typing import Any, NamedTuple

from tfmini._src.models.keras.applications import imagenet_model
from tfmini._src.models.keras.applications.imagenet_model import (
    DEEP_LEARNING_MODELS,
    ModelOptions,
    application,
)
from tfmini._src.models.keras.applications.layer_classes import layers

_PAPER = '"Rethinking the Inception Architecture for Computer Vision" (arXiv:1512.00567)'
_FILES = imagenet_model.usual_weights(
    DEEP_LEARNING_MODELS + "v0.5/",
    "inception_v3",
    "9a0d58056eeedaa3f26cb7ebd46da564",
    "bcbd6486424b2319ff4ef7d526e38f63",
)


class _Conv(NamedTuple):
    """A convolution with batch normalization and ReLU."""

    filters: int
    rows: int = 1
    columns: int = 1
    strides: int = 1
    padding: str = "same"


class _Fork(NamedTuple):
    """Two parallel convolutions of the same input."""

    one: _Conv
    other: _Conv


_MAX, _AVERAGE = "max", "average"  # 3 x 3 windows, with strides 2 and 1

_STEM = (
    *(_Conv(32, 3, 3, 2, "valid"), _Conv(32, 3, 3, 1, "valid"), _Conv(64, 3, 3), _MAX),
    *(_Conv(80, padding="valid"), _Conv(192, 3, 3, 1, "valid"), _MAX),
)


def _block_35(pooled: int) -> tuple[Any, ...]:
    """Parallel branches of a block at 35 x 35."""
    return (
        (_Conv(64),),
        (_Conv(48), _Conv(64, 5, 5)),
        (_Conv(64), _Conv(96, 3, 3), _Conv(96, 3, 3)),
        (_AVERAGE, _Conv(pooled)),
    )


def _block_17(inner: int) -> tuple[Any, ...]:
    """Parallel branches of a block at 17 x 17."""
    row, column = _Conv(inner, 1, 7), _Conv(inner, 7, 1)
    return (
        (_Conv(192),),
        (_Conv(inner), row, _Conv(192, 7, 1)),
        (_Conv(inner), column, row, column, _Conv(192, 1, 7)),
        (_AVERAGE, _Conv(192)),
    )


_BLOCK_8 = (
    (_Conv(320),),
    (_Conv(384), _Fork(_Conv(384, 1, 3), _Conv(384, 3, 1))),
    (_Conv(448), _Conv(384, 3, 3), _Fork(_Conv(384, 1, 3), _Conv(384, 3, 1))),
    (_AVERAGE, _Conv(192)),
)

_REDUCTION_TO_17 = (
    (_Conv(384, 3, 3, 2, "valid"),),
    (_Conv(64), _Conv(96, 3, 3), _Conv(96, 3, 3, 2, "valid")),
    (_MAX,),
)

_REDUCTION_TO_8 = (
    (_Conv(192), _Conv(320, 3, 3, 2, "valid")),
    (_Conv(192), _Conv(192, 1, 7), _Conv(192, 7, 1), _Conv(192, 3, 3, 2, "valid")),
    (_MAX,),
)

_BLOCKS = (
    *(_block_35(32), _block_35(64), _block_35(64), _REDUCTION_TO_17),
    *(_block_17(128), _block_17(160), _block_17(160), _block_17(192), _REDUCTION_TO_8),
    *(_BLOCK_8, _BLOCK_8),
)


def _apply_step(x: Any, step: Any, fork: str | None) -> Any:
    if step == _MAX:
        return layers.MaxPooling2D(3, strides=2)(x)
    if step == _AVERAGE:
        return layers.AveragePooling2D(3, strides=1, padding="same")(x)
    axis = imagenet_model.channel_axis()
    if isinstance(step, _Fork):
        return layers.concatenate(
            [_apply_step(x, half, None) for half in step], axis=axis, name=fork
        )
    size = (step.rows, step.columns)
    x = layers.Conv2D(
        step.filters, size, strides=step.strides, padding=step.padding, use_bias=False
    )(x)
    return layers.Activation("relu")(layers.BatchNormalization(axis=axis, scale=False)(x))


def _branch(x: Any, steps: tuple[Any, ...], fork: str | None = None) -> Any:
    for step in steps:
        x = _apply_step(x, step, fork)
    return x


@application("Inception v3", _PAPER, 299, 75)
def InceptionV3(options: ModelOptions) -> Any:
    start = imagenet_model.model_input(options, imagenet_model.input_shape(options, 299, 75))
    x = _branch(start, _STEM)
    for index, block in enumerate(_BLOCKS):
        branches = []
        for position, steps in enumerate(block):  # only the first fork has a name
            branches.append(_branch(x, steps, f"mixed9_{index - 9}" if position == 1 else None))
        x = layers.concatenate(branches, axis=imagenet_model.channel_axis(), name=f"mixed{index}")
    return imagenet_model.build_model(
        options, start, imagenet_model.classification_top(options, x), "inception_v3", _FILES
    )
