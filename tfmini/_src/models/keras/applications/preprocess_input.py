"""`preprocess_input` of each family of models: the value range and channel order of its training."""

from __future__ import annotations

from typing import Any

from tfmini._src.models.keras.applications.imagenet_utils import preprocess_input


def as_caffe(x: Any, data_format: str | None = None) -> Any:
    """RGB images in 0 ... 255 as BGR, less their channel means over ImageNet.

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
    """Images in 0 ... 255 scaled to -1 ... 1.

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
    """Images in 0 ... 255, each channel standardized by its mean and deviation over ImageNet.

    Args:
      x: array or Tensor [batch, height, width, 3] of red, green and blue, or one image.
      data_format: "channels_last" or "channels_first"; None for `backend.image_data_format()`.

    Returns:
      A new array or Tensor of its shape, of floats.

    Raises:
      ValueError: for another data format.
    """
    return preprocess_input(x, data_format, mode="torch")
