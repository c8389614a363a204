"""Layers of `tf.layers` that pool, and their functions."""

from __future__ import annotations

from typing import Any

from tfmini._src.base.names.deprecation import deprecated
from tfmini._src.nn.layers.base import Layer
from tfmini._src.nn.layers.keras import pooling as core


class _Sized:
    """Sizes and strides have to be given."""

    def __init__(
        self,
        pool_size: Any,
        strides: Any,
        padding: str = "valid",
        data_format: str = "channels_last",
        name: Any = None,
        **kwargs: Any,
    ):
        if strides is None:
            raise ValueError("Argument `strides` must not be None.")
        super().__init__(pool_size, strides, padding, data_format, name=name, **kwargs)  # type: ignore[call-arg]


class MaxPooling1D(_Sized, core.MaxPooling1D, Layer):
    __doc__ = str(core.MaxPooling1D.__doc__)


class AveragePooling1D(_Sized, core.AveragePooling1D, Layer):
    __doc__ = str(core.AveragePooling1D.__doc__)


class MaxPooling2D(_Sized, core.MaxPooling2D, Layer):
    __doc__ = str(core.MaxPooling2D.__doc__)


class AveragePooling2D(_Sized, core.AveragePooling2D, Layer):
    __doc__ = str(core.AveragePooling2D.__doc__)


class MaxPooling3D(_Sized, core.MaxPooling3D, Layer):
    __doc__ = str(core.MaxPooling3D.__doc__)


class AveragePooling3D(_Sized, core.AveragePooling3D, Layer):
    __doc__ = str(core.AveragePooling3D.__doc__)


@deprecated(None, "Use keras.layers.AveragePooling1D instead.")
def average_pooling1d(
    inputs: Any,
    pool_size: Any,
    strides: Any,
    padding: str = "valid",
    data_format: str = "channels_last",
    name: Any = None,
) -> Any:
    """The mean of each window of a sequence; see `tf.layers.AveragePooling1D`.

    Args:
      inputs: [batch, steps, channels], floats (channels after the batch with `channels_first`).
      pool_size, strides, padding, data_format, name: as for the class.

    Returns:
      A tensor of the same dtype, smaller along the axes of the windows.

    Raises:
      ValueError: if arguments do not fit.
    """
    return AveragePooling1D(pool_size, strides, padding, data_format, name).apply(inputs)


@deprecated(None, "Use keras.layers.AveragePooling2D instead.")
def average_pooling2d(
    inputs: Any,
    pool_size: Any,
    strides: Any,
    padding: str = "valid",
    data_format: str = "channels_last",
    name: Any = None,
) -> Any:
    """The mean of each window of images; see `tf.layers.AveragePooling2D`.

    Args:
      inputs: [batch, rows, columns, channels], floats (channels after the batch with `channels_first`).
      pool_size, strides, padding, data_format, name: as for the class.

    Returns:
      A tensor of the same dtype, smaller along the axes of the windows.

    Raises:
      ValueError: if arguments do not fit.
    """
    return AveragePooling2D(pool_size, strides, padding, data_format, name).apply(inputs)


@deprecated(None, "Use keras.layers.AveragePooling3D instead.")
def average_pooling3d(
    inputs: Any,
    pool_size: Any,
    strides: Any,
    padding: str = "valid",
    data_format: str = "channels_last",
    name: Any = None,
) -> Any:
    """The mean of each window of volumes; see `tf.layers.AveragePooling3D`.

    Args:
      inputs: [batch, depth, rows, columns, channels], floats (channels after the batch with `channels_first`).
      pool_size, strides, padding, data_format, name: as for the class.

    Returns:
      A tensor of the same dtype, smaller along the axes of the windows.

    Raises:
      ValueError: if arguments do not fit.
    """
    return AveragePooling3D(pool_size, strides, padding, data_format, name).apply(inputs)


@deprecated(None, "Use keras.layers.MaxPooling1D instead.")
def max_pooling1d(
    inputs: Any,
    pool_size: Any,
    strides: Any,
    padding: str = "valid",
    data_format: str = "channels_last",
    name: Any = None,
) -> Any:
    """The largest element of each window of a sequence; see `tf.layers.MaxPooling1D`.

    Args:
      inputs: [batch, steps, channels], floats (channels after the batch with `channels_first`).
      pool_size, strides, padding, data_format, name: as for the class.

    Returns:
      A tensor of the same dtype, smaller along the axes of the windows.

    Raises:
      ValueError: if arguments do not fit.
    """
    return MaxPooling1D(pool_size, strides, padding, data_format, name).apply(inputs)


@deprecated(None, "Use keras.layers.MaxPooling2D instead.")
def max_pooling2d(
    inputs: Any,
    pool_size: Any,
    strides: Any,
    padding: str = "valid",
    data_format: str = "channels_last",
    name: Any = None,
) -> Any:
    """The largest element of each window of images; see `tf.layers.MaxPooling2D`.

    Args:
      inputs: [batch, rows, columns, channels], floats (channels after the batch with `channels_first`).
      pool_size, strides, padding, data_format, name: as for the class.

    Returns:
      A tensor of the same dtype, smaller along the axes of the windows.

    Raises:
      ValueError: if arguments do not fit.
    """
    return MaxPooling2D(pool_size, strides, padding, data_format, name).apply(inputs)


@deprecated(None, "Use keras.layers.MaxPooling3D instead.")
def max_pooling3d(
    inputs: Any,
    pool_size: Any,
    strides: Any,
    padding: str = "valid",
    data_format: str = "channels_last",
    name: Any = None,
) -> Any:
    """The largest element of each window of volumes; see `tf.layers.MaxPooling3D`.

    Args:
      inputs: [batch, depth, rows, columns, channels], floats (channels after the batch with `channels_first`).
      pool_size, strides, padding, data_format, name: as for the class.

    Returns:
      A tensor of the same dtype, smaller along the axes of the windows.

    Raises:
      ValueError: if arguments do not fit.
    """
    return MaxPooling3D(pool_size, strides, padding, data_format, name).apply(inputs)
