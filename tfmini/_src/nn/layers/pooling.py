"""Pooling layers and functions of `tf.layers`."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from tfmini._src.base.names.signature import arguments_of
from tfmini._src.graph.tensor import Tensor, TensorLike
from tfmini._src.nn.layers.base import Layer
from tfmini._src.nn.layers.keras import pooling as core
from tfmini._src.nn.layers.layer_function import arguments, layer_function


class _RequiredSizesMixin:
    """Mixin that makes sizes and strides required arguments."""

    def __init__(
        self,
        pool_size: int | Sequence[int],
        strides: int | Sequence[int],
        padding: str = "valid",
        data_format: str = "channels_last",
        name: str | None = None,
        **kwargs: Any,
    ):
        if strides is None:
            raise ValueError("Argument `strides` must not be None.")
        super().__init__(pool_size, strides, padding, data_format, name=name, **kwargs)  # type: ignore[call-arg]


class MaxPooling1D(_RequiredSizesMixin, core.MaxPooling1D, Layer):
    __doc__ = str(core.MaxPooling1D.__doc__)


class AveragePooling1D(_RequiredSizesMixin, core.AveragePooling1D, Layer):
    __doc__ = str(core.AveragePooling1D.__doc__)


class MaxPooling2D(_RequiredSizesMixin, core.MaxPooling2D, Layer):
    __doc__ = str(core.MaxPooling2D.__doc__)


class AveragePooling2D(_RequiredSizesMixin, core.AveragePooling2D, Layer):
    __doc__ = str(core.AveragePooling2D.__doc__)


class MaxPooling3D(_RequiredSizesMixin, core.MaxPooling3D, Layer):
    __doc__ = str(core.MaxPooling3D.__doc__)


class AveragePooling3D(_RequiredSizesMixin, core.AveragePooling3D, Layer):
    __doc__ = str(core.AveragePooling3D.__doc__)


@layer_function(MaxPooling1D, "Use keras.layers.MaxPooling1D instead.")
def max_pooling1d(
    inputs: TensorLike,
    pool_size: int | Sequence[int],
    strides: int | Sequence[int],
    padding: str = "valid",
    data_format: str = "channels_last",
    name: str | None = None,
) -> Tensor:
    return arguments(locals())


@layer_function(AveragePooling1D, "Use keras.layers.AveragePooling1D instead.")
@arguments_of(max_pooling1d)
def average_pooling1d(**kwargs: Any) -> Tensor:
    return arguments(kwargs)


@layer_function(MaxPooling2D, "Use keras.layers.MaxPooling2D instead.")
@arguments_of(max_pooling1d)
def max_pooling2d(**kwargs: Any) -> Tensor:
    return arguments(kwargs)


@layer_function(AveragePooling2D, "Use keras.layers.AveragePooling2D instead.")
@arguments_of(max_pooling1d)
def average_pooling2d(**kwargs: Any) -> Tensor:
    return arguments(kwargs)


@layer_function(MaxPooling3D, "Use keras.layers.MaxPooling3D instead.")
@arguments_of(max_pooling1d)
def max_pooling3d(**kwargs: Any) -> Tensor:
    return arguments(kwargs)


@layer_function(AveragePooling3D, "Use keras.layers.AveragePooling3D instead.")
@arguments_of(max_pooling1d)
def average_pooling3d(**kwargs: Any) -> Tensor:
    return arguments(kwargs)
