"""Projective image transforms: the ops of `tf.contrib.image.transform`, and conversions to and from matrices.

A transform is eight numbers a0 ... a2, b0 ... b2, c0, c1; it maps the output point (x, y) to the input
point ((a0 x + a1 y + a2) / k, (b0 x + b1 y + b2) / k) with k = c0 x + c1 y + 1.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from tfmini._src.base import dtypes
from tfmini._src.base.errors import invalid
from tfmini._src.graph.opdef import Attr, op, raw
from tfmini._src.graph.scopes import name_scope
from tfmini._src.graph.shape_inference import (
    Dims,
    InferenceError,
    copy_input_shape,
    input_value,
    with_rank,
)
from tfmini._src.graph.tensor import Tensor, TensorLike
from tfmini._src.ops import ops
from tfmini._src.ops.operands import shape_text

IMAGE_TYPES = (
    *(dtypes.uint8, dtypes.int32, dtypes.int64),
    *(dtypes.float16, dtypes.float32, dtypes.float64),
)
_METHODS = ("NEAREST", "BILINEAR")
_POINTS_AT_ONCE = 1 << 16  # so that intermediate results stay in a cache
_BELOW_HALF = np.nextafter(np.float32(0.5), np.float32(0))  # 0.5 would round its predecessor up
ATTRS: dict[str, Any] = {"dtype": IMAGE_TYPES, "interpolation": Attr("string")}


def _check_interpolation(interpolation: str) -> None:
    if interpolation not in _METHODS:
        invalid(f"Invalid interpolation {interpolation}. Supported types: {', '.join(_METHODS)}")


def _input_positions(xp: Any, transforms: Any, rows: int, columns: int) -> tuple[Any, Any, Any]:
    """Returns y and x of each output pixel in the input images, and whether they are finite; float32.

    They have shape [transforms, rows, columns].
    """
    a0, a1, a2, b0, b1, b2, c0, c1 = (transforms[:, n, None, None] for n in range(8))
    y = xp.arange(rows, dtype="f")[:, None]
    x = xp.arange(columns, dtype="f")
    input_y, input_x = b0 * x + b1 * y + b2, a0 * x + a1 * y + a2
    if xp is np and not transforms[:, 6:].any():  # affine
        return input_y, input_x, np.True_
    share = c0 * x + c1 * y + np.float32(1)
    is_finite = share != 0
    share = xp.where(is_finite, share, np.float32(1))
    return input_y / share, input_x / share, is_finite


def _round(xp: Any, value: Any) -> Any:
    """Rounds float32 to the nearest integer, halves away from 0."""
    return xp.trunc(value + xp.copysign(_BELOW_HALF, value))


def _read_pixels(xp: Any, images: Any, y: Any, x: Any, is_finite: Any, fill: Any) -> Any:
    """Reads the pixels of the images at integer positions y, x; `fill` outside the images."""
    count, rows, columns, depth = images.shape
    in_bounds = is_finite & (y >= 0) & (y < rows) & (x >= 0) & (x < columns)
    if not images.size:
        return xp.full((count, *in_bounds.shape[1:], depth), fill, images.dtype)
    row, column = (xp.where(in_bounds, axis, 0).astype(np.int64) for axis in (y, x))
    first = xp.arange(0, count * rows * columns, rows * columns)[:, None, None]
    pixels = xp.take(images.reshape(-1, depth), first + row * columns + column, axis=0)
    return xp.where(in_bounds[..., None], pixels, fill)


def _pixels(xp: Any, images: Any, y: Any, x: Any, is_finite: Any, method: str, fill: Any) -> Any:
    """Interpolates the images at points y, x: [images, rows, columns, channels]; `fill` if a point is not finite."""
    if method == "NEAREST":
        return _read_pixels(xp, images, _round(xp, y), _round(xp, x), is_finite, fill)
    top, left = xp.floor(y), xp.floor(x)
    right, below = (left + 1 - x)[..., None], (top + 1 - y)[..., None]
    column_fraction, row_fraction = (x - left)[..., None], (y - top)[..., None]
    upper = right * _read_pixels(xp, images, top, left, is_finite, fill)
    upper = upper + column_fraction * _read_pixels(xp, images, top, left + 1, is_finite, fill)
    lower = right * _read_pixels(xp, images, top + 1, left, is_finite, fill)
    lower = lower + column_fraction * _read_pixels(xp, images, top + 1, left + 1, is_finite, fill)
    between = below * upper + row_fraction * lower
    return xp.where(is_finite[..., None], between, fill).astype(images.dtype)


def _identity(coordinate: Any, length: int) -> Any:
    return coordinate


def transform(
    xp: Any,
    images: Any,
    transforms: Any,
    size: Any,
    interpolation: str,
    remap: Callable[[Any, int], Any] = _identity,
    fill: Any = None,
) -> Any:
    """Transforms images to a size, by default their own size.

    `remap` maps coordinates along an axis of a specified length into the image; the value of pixels outside is `fill`,
    by default 0.
    """
    _check_interpolation(interpolation)
    if images.ndim != 4:
        invalid("Input images must have rank 4")
    count = transforms.shape[0] if transforms.ndim == 2 else 0
    if transforms.ndim != 2 or count not in (1, len(images)) or transforms.shape[1] != 8:
        invalid("Input transform should be num_images x 8 or 1 x 8")
    if size is None:
        size = images.shape[1:3]
    elif size.ndim != 1:
        invalid(f"output shape must be 1-dimensional{shape_text(size.shape)}")
    elif len(size) != 2:
        invalid(f"output shape must have two elements{shape_text(size.shape)}")
    rows, columns = (int(n) for n in size)
    if rows <= 0 or columns <= 0:
        invalid("output dimensions must be positive")
    fill = images.dtype.type(0) if fill is None else fill
    result = xp.empty((len(images), rows, columns, images.shape[3]), images.dtype)
    at_once = max(1, _POINTS_AT_ONCE // (rows * columns))
    for start in range(0, len(images), at_once):
        some = slice(start, start + at_once)
        y, x, is_finite = _input_positions(
            xp, transforms[some] if count > 1 else transforms, rows, columns
        )
        y, x = remap(y, images.shape[1]), remap(x, images.shape[2])
        result[some] = _pixels(xp, images[some], y, x, is_finite, interpolation, fill)
    return result


@op(
    "ImageProjectiveTransform",
    "images: dtype, transforms: float -> transformed_images: dtype",
    infer=copy_input_shape(0, rank=4),
    **ATTRS,
)
def image_projective_transform_op(xp, images, transforms, *, interpolation):
    return transform(xp, images, transforms, None, interpolation)


@op(
    "ImageProjectiveTransformV2",
    "images: dtype, transforms: float, output_shape: int32 -> transformed_images: dtype",
    static_inputs=("output_shape",),
    **ATTRS,
)
def image_projective_transform_v2_op(xp, images, transforms, output_shape, *, interpolation):
    return transform(xp, images, transforms, output_shape, interpolation)


@image_projective_transform_v2_op.infer
def _(op) -> Dims:
    batch, *_, depth = with_rank(op.inputs[0]._dims, 4)
    sizes = with_rank(op.inputs[2]._dims, 1)
    if sizes[0] not in (None, 2):
        raise InferenceError(f"Dimension must be 2 but is {sizes[0]}")
    value = input_value(op, 2)
    rows, columns = (-1, -1) if value is None else value.tolist()
    return (batch, *(None if size < 0 else size for size in (rows, columns)), depth)


@image_projective_transform_v2_op.gradient
def _(op, grad):
    """Returns the gradient transformed by the inverse transforms, as in TensorFlow."""
    images, transforms = op.inputs[:2]
    image_grad = raw.ImageProjectiveTransformV2(
        images=grad,
        transforms=inverse_transforms(transforms),
        output_shape=ops.shape(images)[1:3],
        interpolation=op.attrs["interpolation"],
    )
    return image_grad, None, None


def inverse_transforms(transforms: Any) -> Tensor:
    """Inverts projective transforms, [8] or [count, 8]; returns [count, 8].

    Raises:
      TypeError: for any other rank.
    """
    rank = transforms.shape.ndims
    if rank not in (1, 2):
        raise TypeError("Transforms should have rank 1 or 2.")
    if rank == 1:
        transforms = transforms[None]
    return matrices_to_flat_transforms(ops.matrix_inverse(flat_transforms_to_matrices(transforms)))


def flat_transforms_to_matrices(transforms: TensorLike) -> Tensor:
    """Converts projective transforms to matrices that map output points to input points.

    Args:
      transforms: [8] or [count, 8] float32.

    Returns:
      [count, 3, 3] float32: the eight numbers and 1.

    Raises:
      ValueError: for any other rank.

    Example:
      matrices = tf.contrib.image.flat_transforms_to_matrices([1, 0, 2, 0, 1, 3, 0, 0.])
    """
    with name_scope("flat_transforms_to_matrices"):
        transforms = ops.convert_to_tensor(transforms, name="transforms")
        if transforms.shape.ndims not in (1, 2):
            raise ValueError(f"Transforms should be 1D or 2D, got: {transforms}")
        rows = ops.reshape(transforms, ops.constant([-1, 8]))
        count = ops.shape(rows)[0]
        complete = ops.concat([rows, ops.ones([count, 1])], axis=1)
        return ops.reshape(complete, ops.constant([-1, 3, 3]))


def matrices_to_flat_transforms(transform_matrices: TensorLike) -> Tensor:
    """Converts matrices of projective transforms to eight numbers each, normalizing the ninth to 1.

    Args:
      transform_matrices: [3, 3] or [count, 3, 3] float32.

    Returns:
      [count, 8] float32, for `tf.contrib.image.transform`.

    Raises:
      ValueError: for any other rank.

    Example:
      transforms = tf.contrib.image.matrices_to_flat_transforms(tf.linalg.inv(matrices))
    """
    with name_scope("matrices_to_flat_transforms"):
        matrices = ops.convert_to_tensor(transform_matrices, name="transform_matrices")
        if matrices.shape.ndims not in (2, 3):
            raise ValueError(f"Matrices should be 2D or 3D, got: {matrices}")
        rows = ops.reshape(matrices, ops.constant([-1, 9]))
        rows /= rows[:, 8:9]
        return rows[:, :8]
