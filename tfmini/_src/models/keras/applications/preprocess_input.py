"""`preprocess_input` of each family of models: in which range and order of channels its weights were trained."""

from __future__ import annotations

from typing import Any

from tfmini._src.models.keras.applications.imagenet_utils import preprocess_input


def as_caffe(x: Any, data_format: str | None = None) -> Any:
    """Images of red, green and blue from 0 to 255 as blue, green and red less their means over ImageNet.

    Args:
      x: array or Tensor [batch, height, width, 3], or one image.
      data_format: "channels_last" or "channels_first"; None for `backend.image_data_format()`.

    Returns:
      A new array or Tensor of its shape, of floats.

    Raises:
      ValueError: for another data format.
    """
    return preprocess_input(x, data_format, mode="caffe")


def as_tensorflow(x: Any, data_format: str | None = None) -> Any:
    """Images from 0 to 255 as numbers from -1 to 1.

    Args:
      x: array or Tensor [batch, height, width, 3], or one image.
      data_format: "channels_last" or "channels_first"; None for `backend.image_data_format()`.

    Returns:
      A new array or Tensor of its shape, of floats.

    Raises:
      ValueError: for another data format.
    """
    return preprocess_input(x, data_format, mode="tf")


def as_torch(x: Any, data_format: str | None = None) -> Any:
    """Images from 0 to 255, each channel less its mean over ImageNet, divided by its standard deviation.

    Args:
      x: array or Tensor [batch, height, width, 3] of red, green and blue, or one image.
      data_format: "channels_last" or "channels_first"; None for `backend.image_data_format()`.

    Returns:
      A new array or Tensor of its shape, of floats.

    Raises:
      ValueError: for another data format.
    """
    return preprocess_input(x, data_format, mode="torch")
