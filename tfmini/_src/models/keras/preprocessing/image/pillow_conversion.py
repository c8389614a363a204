"""Converts between Pillow images and arrays."""

from __future__ import annotations

import io
import warnings
from collections.abc import Sequence
from os import PathLike
from typing import Any

import numpy as np

from tfmini._src.devices.host.codecs import pillow
from tfmini._src.graph.tensor import TensorLike
from tfmini._src.nn.layers.backend.config import floatx, image_data_format

_MODES = {"grayscale": "L", "rgb": "RGB", "rgba": "RGBA"}
_GRAY = ("L", "I;16", "I")
_RESAMPLING_METHODS = ("nearest", "bilinear", "bicubic", "hamming", "box", "lanczos")


def _check_data_format(data_format: str, word: str) -> None:
    if data_format not in ("channels_first", "channels_last"):
        raise ValueError(f"{word} data_format: {data_format}")


def array_to_img(
    x: Any,
    data_format: str | None = None,
    scale: bool = True,
    dtype: np.dtype[Any] | type | str | None = None,
) -> Any:
    """Converts an array to a Pillow image.

    Args:
      x: [rows, columns, channels] or, for "channels_first", [channels, rows, columns]; 1, 3 or 4 channels.
      data_format: "channels_last" or "channels_first", by default `tf.keras.backend.image_data_format()`.
      scale: whether to stretch values to [0, 255].
      dtype: dtype of the computation, by default `tf.keras.backend.floatx()`.

    Raises:
      ValueError: for another rank, format or number of channels.
      ImportError: if Pillow is not installed.
    """
    library = pillow.library("array_to_img")
    data_format = data_format or image_data_format()
    x = np.asarray(x, dtype=dtype or floatx())
    if x.ndim != 3:
        raise ValueError(
            f"Expected image array to have rank 3 (single image). Got array with shape: {x.shape}"
        )
    _check_data_format(data_format, "Invalid")
    if data_format == "channels_first":
        x = x.transpose(1, 2, 0)
    if scale:
        x = x - np.min(x)
        largest = np.max(x)
        x = (x / largest if largest != 0 else x) * 255
    channels = x.shape[2]
    if channels not in (1, 3, 4):
        raise ValueError(f"Unsupported channel number: {channels}")
    if channels == 1:
        x = x[:, :, 0]
        if np.max(x) > 255:
            return library.fromarray(x.astype("int32"))
    return library.fromarray(x.astype("uint8"))


def img_to_array(
    img: Any, data_format: str | None = None, dtype: np.dtype[Any] | type | str | None = None
) -> np.ndarray:
    """Converts a Pillow image to an array.

    Args:
      img: a Pillow image, or an array of rank 2 or 3.
      data_format: "channels_last" or "channels_first", by default `tf.keras.backend.image_data_format()`.
      dtype: array dtype, by default `tf.keras.backend.floatx()`.

    Returns:
      [rows, columns, channels] or [channels, rows, columns].

    Raises:
      ValueError: for another rank or format.
    """
    data_format = data_format or image_data_format()
    _check_data_format(data_format, "Unknown")
    x = np.asarray(img, dtype=dtype or floatx())
    if x.ndim not in (2, 3):
        raise ValueError(f"Unsupported image shape: {x.shape}")
    x = x[:, :, np.newaxis] if x.ndim == 2 else x
    return x.transpose(2, 0, 1) if data_format == "channels_first" else x


def save_img(
    path: str | PathLike[str],
    x: TensorLike,
    data_format: str | None = None,
    file_format: str | None = None,
    scale: bool = True,
    **kwargs: Any,
) -> None:
    """Writes an array as an image.

    Args:
      path: file path, or file object.
      x, data_format, scale: as in `array_to_img`.
      file_format: "png", "jpeg" ..., by default from the path's extension.
      **kwargs: passed to Pillow's `save`.
    """
    picture = array_to_img(x, data_format=data_format, scale=scale)
    if picture.mode == "RGBA" and file_format in ("jpg", "jpeg"):
        warnings.warn(
            "The JPG format does not support RGBA images, converting to RGB.", stacklevel=2
        )
        picture = picture.convert("RGB")
    picture.save(path, format=file_format, **kwargs)


def load_img(
    path: str | PathLike[str],
    grayscale: bool = False,
    color_mode: str = "rgb",
    target_size: Sequence[int] | None = None,
    interpolation: str = "nearest",
) -> Any:
    """Reads a Pillow image from a file.

    Args:
      path: file path.
      grayscale: deprecated; use `color_mode`.
      color_mode: "grayscale", "rgb" or "rgba".
      target_size: (rows, columns) after resizing.
      interpolation: "nearest", "bilinear", "bicubic", "lanczos", "box" or "hamming".

    Raises:
      ValueError: for another color mode or interpolation.
      ImportError: if Pillow is not installed.
    """
    if grayscale is True:
        warnings.warn('grayscale is deprecated. Please use color_mode = "grayscale"', stacklevel=2)
        color_mode = "grayscale"
    library = pillow.library("load_img")
    with open(path, "rb") as file:
        picture = library.open(io.BytesIO(file.read()))
    if color_mode not in _MODES:
        raise ValueError('color_mode must be "grayscale", "rgb", or "rgba"')
    fits = picture.mode in _GRAY if color_mode == "grayscale" else False
    if not fits and picture.mode != _MODES[color_mode]:
        picture = picture.convert(_MODES[color_mode])
    if target_size is None or picture.size == (target_size[1], target_size[0]):
        return picture
    if interpolation not in _RESAMPLING_METHODS:
        raise ValueError(
            f"Invalid interpolation method {interpolation} specified. "
            f"Supported methods are {', '.join(_RESAMPLING_METHODS)}"
        )
    method = getattr(library.Resampling, interpolation.upper())
    return picture.resize((target_size[1], target_size[0]), method)
