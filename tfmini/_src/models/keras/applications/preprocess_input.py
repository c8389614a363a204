"""`preprocess_input` of each model family: value range and channel order of training images."""

from __future__ import annotations

from typing import Any

from tfmini._src.graph.tensor import TensorLike
from tfmini._src.models.keras.applications.imagenet_utils import preprocess_input


def as_caffe(x: TensorLike, data_format: str | None = None) -> Any:
    """Converts RGB images in [0, 255] to BGR minus ImageNet channel means.

    Args:
      x: array or Tensor [batch, height, width, 3], or one image.
      data_format: "channels_last" or "channels_first"; None for `backend.image_data_format()`.

    Returns:
      A new float array or Tensor of the same shape.

    Raises:
      ValueError: for another data format.
    """
    return preprocess_input(x, data_format, mode="caffe")


def as_tensorflow(x: TensorLike, data_format: str | None = None) -> Any:
    """Scales images from [0, 255] to [-1, 1].

    Args:
      x: array or Tensor [batch, height, width, 3], or one image.
      data_format: "channels_last" or "channels_first"; None for `backend.image_data_format()`.

    Returns:
      A new float array or Tensor of the same shape.

    Raises:
      ValueError: for another data format.
    """
    return preprocess_input(x, data_format, mode="tf")


def as_torch(x: TensorLike, data_format: str | None = None) -> Any:
    """Standardizes images in [0, 255] by ImageNet channel means and standard deviations.

    Args:
      x: array or Tensor [batch, height, width, 3] of RGB values, or one image.
      data_format: "channels_last" or "channels_first"; None for `backend.image_data_format()`.

    Returns:
      A new float array or Tensor of the same shape.

    Raises:
      ValueError: for another data format.
    """
    return preprocess_input(x, data_format, mode="torch")
