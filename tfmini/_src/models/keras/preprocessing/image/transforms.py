"""Transforms of image arrays: rotation, shift, shear, zoom, brightness."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from tfmini._src.base.names.signature import arguments_of
from tfmini._src.devices.host.codecs import pillow
from tfmini._src.devices.numpy import scipy
from tfmini._src.graph.tensor import TensorLike
from tfmini._src.models.keras.preprocessing.image.pillow_conversion import (
    array_to_img,
    img_to_array,
)


def flip_axis(x: np.ndarray, axis: int) -> np.ndarray:
    """Reverses an array along an axis."""
    return np.flip(np.asarray(x), axis)


def _matrices(theta: float, tx: float, ty: float, shear: float, zx: float, zy: float) -> list:
    """Returns the nontrivial steps of an affine transform, as homogeneous matrices."""
    steps = []
    if theta != 0:
        angle = np.deg2rad(theta)
        sine, cosine = np.sin(angle), np.cos(angle)
        steps.append([[cosine, -sine, 0], [sine, cosine, 0], [0, 0, 1]])
    if tx != 0 or ty != 0:
        steps.append([[1, 0, tx], [0, 1, ty], [0, 0, 1]])
    if shear != 0:
        angle = np.deg2rad(shear)
        steps.append([[1, -np.sin(angle), 0], [0, np.cos(angle), 0], [0, 0, 1]])
    if zx != 1 or zy != 1:
        steps.append([[zx, 0, 0], [0, zy, 0], [0, 0, 1]])
    return [np.array(step) for step in steps]


def apply_affine_transform(
    x: Any,
    theta: float = 0,
    tx: float = 0,
    ty: float = 0,
    shear: float = 0,
    zx: float = 1,
    zy: float = 1,
    row_axis: int = 0,
    col_axis: int = 1,
    channel_axis: int = 2,
    fill_mode: str = "nearest",
    cval: float = 0.0,
    order: int = 1,
) -> np.ndarray:
    """Rotates, shifts, shears and zooms an image around its center.

    Args:
      x: an array of rank 3.
      theta: rotation in degrees.
      tx, ty: shift in rows and columns.
      shear: shear in degrees.
      zx, zy: zoom factors of rows and columns.
      row_axis, col_axis, channel_axis: axes of `x`.
      fill_mode: fill mode for points outside the image: "constant", "nearest", "reflect" or "wrap".
      cval: the fill value for "constant".
      order: spline order of the interpolation.
    """
    steps = _matrices(theta, tx, ty, shear, zx, zy)
    if not steps:
        return x
    matrix = steps[0]
    for step in steps[1:]:
        matrix = np.dot(matrix, step)
    row, column = (float(x.shape[axis]) / 2 + 0.5 for axis in (row_axis, col_axis))
    centering = np.array([[1, 0, row], [0, 1, column], [0, 0, 1]])
    uncentering = np.array([[1, 0, -row], [0, 1, -column], [0, 0, 1]])
    matrix = np.dot(np.dot(centering, matrix), uncentering)
    channels = [
        scipy.ndimage.affine_transform(
            channel, matrix[:2, :2], matrix[:2, 2], order=order, mode=fill_mode, cval=cval
        )
        for channel in np.moveaxis(x, channel_axis, 0)
    ]
    return np.moveaxis(np.stack(channels, axis=0), 0, channel_axis)


def random_rotation(
    x: TensorLike,
    rg: float,
    row_axis: int = 1,
    col_axis: int = 2,
    channel_axis: int = 0,
    fill_mode: str = "nearest",
    cval: float = 0.0,
    interpolation_order: int = 1,
) -> np.ndarray:
    """Rotates an image at random.

    Args:
      x: an array of rank 3.
      rg: maximum rotation in degrees.
      row_axis, col_axis: axes of `x`; as in TensorFlow, the center is computed from axes 0 and 1.
      channel_axis, fill_mode, cval, interpolation_order: as in `apply_affine_transform`.
    """
    theta = np.random.uniform(-rg, rg)
    where = {"channel_axis": channel_axis, "fill_mode": fill_mode, "cval": cval}
    return _distort(x, interpolation_order, theta=theta, **where)


@arguments_of(random_rotation, "rg")
def random_shift(
    x: Any, wrg: float, hrg: float, row_axis: int = 1, col_axis: int = 2, **options: Any
) -> np.ndarray:
    """Shifts an image at random.

    Args:
      x: an array of rank 3.
      wrg, hrg: maximum shift as fractions of width and height.
      row_axis, col_axis, channel_axis, fill_mode, cval, interpolation_order: as in `random_rotation`.
    """
    _check_axes(x, row_axis, col_axis)
    tx = np.random.uniform(-hrg, hrg) * x.shape[row_axis]
    ty = np.random.uniform(-wrg, wrg) * x.shape[col_axis]
    return _distort(x, **options, tx=tx, ty=ty)


@arguments_of(random_rotation, "rg")
def random_shear(
    x: TensorLike, intensity: float, row_axis: int = 1, col_axis: int = 2, **options: Any
) -> np.ndarray:
    """Shears an image at random.

    Args:
      x: an array of rank 3.
      intensity: maximum shear in degrees.
      row_axis, col_axis, channel_axis, fill_mode, cval, interpolation_order: as in `random_rotation`.
    """
    shear = np.random.uniform(-intensity, intensity)
    return _distort(x, **options, shear=shear)


@arguments_of(random_rotation, "rg")
def random_zoom(
    x: TensorLike, zoom_range: Any, row_axis: int = 1, col_axis: int = 2, **options: Any
) -> np.ndarray:
    """Zooms an image at random.

    Args:
      x: an array of rank 3.
      zoom_range: minimum and maximum zoom.
      row_axis, col_axis, channel_axis, fill_mode, cval, interpolation_order: as in `random_rotation`.

    Raises:
      ValueError: if `zoom_range` is not a pair.
    """
    if len(zoom_range) != 2:
        raise ValueError(
            f"`zoom_range` should be a tuple or list of two floats. Received: {zoom_range}"
        )
    zx, zy = (1, 1)
    if zoom_range[0] != 1 or zoom_range[1] != 1:
        zx, zy = np.random.uniform(zoom_range[0], zoom_range[1], 2)
    return _distort(x, **options, zx=zx, zy=zy)


def _check_axes(x: Any, row_axis: int, col_axis: int) -> None:
    if not -x.ndim <= min(row_axis, col_axis) <= max(row_axis, col_axis) < x.ndim:
        raise IndexError("tuple index out of range")


def _distort(x: Any, interpolation_order: int, **options: Any) -> np.ndarray:
    return apply_affine_transform(x, order=interpolation_order, **options)


def apply_channel_shift(x: Any, intensity: float, channel_axis: int = 0) -> np.ndarray:
    """Adds `intensity` to all values, clipped to the image's range.

    Args:
      x: an array of rank 3.
      intensity: the added value.
      channel_axis: the channel axis.
    """
    return np.clip(np.asarray(x) + intensity, np.min(x), np.max(x))


def random_channel_shift(
    x: TensorLike, intensity_range: float, channel_axis: int = 0
) -> np.ndarray:
    """Adds a random value of at most `intensity_range`; other arguments are as in `apply_channel_shift`."""
    intensity = np.random.uniform(-intensity_range, intensity_range)
    return apply_channel_shift(x, intensity, channel_axis=channel_axis)


def apply_brightness_shift(x: TensorLike, brightness: float) -> np.ndarray:
    """Scales the brightness of an image after stretching it to [0, 255].

    Args:
      x: an array [rows, columns, channels].
      brightness: brightness factor.
    """
    picture = array_to_img(x, data_format="channels_last", dtype="float32")
    image = pillow.brighter(picture, brightness)
    return img_to_array(image, data_format="channels_last", dtype="float32")


def random_brightness(x: TensorLike, brightness_range: Sequence[float]) -> np.ndarray:
    """Scales the brightness of an image at random.

    Args:
      x: an array [rows, columns, channels].
      brightness_range: (minimum, maximum) factor.

    Raises:
      ValueError: if `brightness_range` is not a pair.
    """
    if len(brightness_range) != 2:
        raise ValueError(
            f"`brightness_range should be tuple or list of two floats. Received: {brightness_range}"
        )
    factor = np.random.uniform(brightness_range[0], brightness_range[1])
    return apply_brightness_shift(x, factor)
