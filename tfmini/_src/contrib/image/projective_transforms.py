"""Rotation, translation and projective transforms of images."""

from __future__ import annotations

from typing import Any

from tfmini._src.base import dtypes
from tfmini._src.graph.scopes import name_scope
from tfmini._src.graph.tensor import Tensor, TensorLike
from tfmini._src.ops import ops, raw
from tfmini._src.ops.image.projective_transform import (
    IMAGE_TYPES,
    flat_transforms_to_matrices,
    matrices_to_flat_transforms,
)


def _batch(value: Tensor) -> Tensor:
    """Reshapes one image, with or without channels, or a batch to [batch, rows, columns, channels]."""
    if value.dtype.base_dtype not in IMAGE_TYPES:
        raise TypeError(f"Invalid dtype {value.dtype}.")
    rank = value.shape.ndims
    if rank is None:
        raise TypeError("image_or_images rank must be statically known")
    if rank not in (2, 3, 4):
        raise TypeError("Images should have rank between 2 and 4.")
    if rank == 2:
        return value[None, :, :, None]
    return value[None, :, :, :] if rank == 3 else value


def _restore_rank(result: Tensor, value: Tensor) -> Tensor:
    """Reshapes the result to the rank of the input."""
    rank = value.shape.ndims
    if rank == 2:
        return result[0, :, :, 0]
    return result[0, :, :, :] if rank == 3 else result


def rotate(
    images: TensorLike, angles: Tensor, interpolation: str = "NEAREST", name: str | None = None
) -> Tensor:
    """Rotates images counterclockwise around their centers; pixels without a source are 0.

    Args:
      images: [batch, rows, columns, channels], [rows, columns, channels] or [rows, columns]; uint8, int32, int64 or
        floats.
      angles: angles in radians, a scalar or [batch].
      interpolation: "NEAREST" or "BILINEAR".
      name: scope name, by default "rotate".

    Returns:
      A tensor of the shape and dtype of `images`.

    Raises:
      TypeError: for any other dtype or rank, or an unknown rank.

    Example:
      turned = tf.contrib.image.rotate(digits, 0.3, "BILINEAR")
    """
    with name_scope(name, "rotate"):
        tensor = ops.convert_to_tensor(images)
        images = _batch(tensor)
        rows = ops.cast(ops.shape(images)[1], dtypes.float32)[None]
        columns = ops.cast(ops.shape(images)[2], dtypes.float32)[None]
        transforms = angles_to_projective_transforms(angles, rows, columns)
        return _restore_rank(transform(images, transforms, interpolation=interpolation), tensor)


def translate(
    images: TensorLike,
    translations: TensorLike,
    interpolation: str = "NEAREST",
    name: str | None = None,
) -> Tensor:
    """Translates images by [dx, dy]; pixels without a source are 0.

    Args:
      images: as in `rotate`.
      translations: [2] or [batch, 2], distances to the right and down.
      interpolation: "NEAREST" or "BILINEAR".
      name: scope name, by default "translate".

    Returns:
      A tensor of the shape and dtype of `images`.

    Raises:
      TypeError: for any other dtype or rank, or an unknown rank.

    Example:
      moved = tf.contrib.image.translate(images, [2, -1])
    """
    with name_scope(name, "translate"):
        transforms = translations_to_projective_transforms(translations)
        return transform(images, transforms, interpolation=interpolation)


def angles_to_projective_transforms(
    angles: Tensor, image_height: Tensor, image_width: Tensor, name: str | None = None
) -> Tensor:
    """Returns the transforms that rotate images around their centers.

    Args:
      angles: a scalar or [count], in radians.
      image_height, image_width: float32 tensors [1] or [count].

    Returns:
      [count, 8] float32, for `transform`.

    Raises:
      TypeError: for angles of any other rank.
    """
    with name_scope(name, "angles_to_projective_transforms"):
        tensor = ops.convert_to_tensor(angles, name="angles", dtype=dtypes.float32)
        if len(tensor.shape) not in (0, 1):
            raise TypeError("Angles should have rank 0 or 1.")
        angles = tensor[None] if len(tensor.shape) == 0 else tensor
        # Repeated expressions create the same nodes as in TensorFlow.
        x_offset = (
            (image_width - 1)
            - (ops.cos(angles) * (image_width - 1) - ops.sin(angles) * (image_height - 1))
        ) / 2.0
        y_offset = (
            (image_height - 1)
            - (ops.sin(angles) * (image_width - 1) + ops.cos(angles) * (image_height - 1))
        ) / 2.0
        count = ops.shape(angles)[0]
        columns = [ops.cos(angles)[:, None], -ops.sin(angles)[:, None], x_offset[:, None]]
        columns += [ops.sin(angles)[:, None], ops.cos(angles)[:, None], y_offset[:, None]]
        return ops.concat([*columns, ops.zeros((count, 2), dtypes.float32)], axis=1)


def translations_to_projective_transforms(
    translations: TensorLike, name: str | None = None
) -> Tensor:
    """Returns the transforms that translate images.

    Args:
      translations: [2] or [count, 2]: [dx, dy].

    Returns:
      [count, 8] float32, for `transform`.

    Raises:
      TypeError: for any other rank, or an unknown one.
    """
    with name_scope(name, "translations_to_projective_transforms"):
        tensor = ops.convert_to_tensor(translations, name="translations", dtype=dtypes.float32)
        if tensor.shape.ndims is None:
            raise TypeError("translation_or_translations rank must be statically known")
        if len(tensor.shape) not in (1, 2):
            raise TypeError("Translations should have rank 1 or 2.")
        moves = tensor[None] if len(tensor.shape) == 1 else tensor
        count = ops.shape(moves)[0]

        def column(value: Any, width: int = 1) -> Tensor:
            return value((count, width), dtypes.float32)

        columns = [column(ops.ones), column(ops.zeros), -moves[:, 0, None]]
        columns += [column(ops.zeros), column(ops.ones), -moves[:, 1, None]]
        return ops.concat([*columns, column(ops.zeros, 2)], axis=1)


def transform(
    images: TensorLike,
    transforms: TensorLike,
    interpolation: str = "NEAREST",
    output_shape: TensorLike | None = None,
    name: str | None = None,
) -> Tensor:
    """Applies projective transforms to images; output pixels that map outside the input are 0.

    Args:
      images: [batch, rows, columns, channels], [rows, columns, channels] or [rows, columns]; uint8, int32, int64 or
        floats; only floats are differentiable.
      transforms: [8], or [1 or batch, 8]: [a0, a1, a2, b0, b1, b2, c0, c1] maps (x, y) in the result to
        ((a0 x + a1 y + a2) / k, (b0 x + b1 y + b2) / k) in the image, where k = c0 x + c1 y + 1.
      interpolation: "NEAREST" or "BILINEAR".
      output_shape: [rows, columns] of the result, int32; by default the size of the images.
      name: scope name, by default "transform".

    Returns:
      A tensor of the rank and dtype of `images`.

    Raises:
      TypeError: for any other dtype or rank, or an unknown rank.
      ValueError: if the output shape is not a vector of two, or the transforms' rank is unknown.

    Example:
      half = tf.contrib.image.transform(image, [2, 0, 0, 0, 2, 0, 0, 0.], output_shape=[14, 14])
    """
    with name_scope(name, "transform"):
        tensor = ops.convert_to_tensor(images, name="images")
        flat = ops.convert_to_tensor(transforms, name="transforms", dtype=dtypes.float32)
        images = _batch(tensor)
        if output_shape is None:
            output_shape = ops.shape(images)[1:3]
        output_shape = ops.convert_to_tensor(output_shape, dtypes.int32, name="output_shape")
        if not output_shape.shape.is_compatible_with([2]):
            raise ValueError(
                "output_shape must be a 1-D Tensor of 2 elements: new_height, new_width"
            )
        if len(flat.shape) not in (1, 2):
            raise TypeError("Transforms should have rank 1 or 2.")
        result = raw.ImageProjectiveTransformV2(
            images=images,
            transforms=flat[None] if len(flat.shape) == 1 else flat,
            output_shape=output_shape,
            interpolation=interpolation.upper(),
        )
        return _restore_rank(result, tensor)


def compose_transforms(*transforms: Any) -> Tensor:
    """Composes projective transforms.

    Args:
      transforms: float32 tensors [8] or [count, 8].

    Returns:
      [count, 8] float32.

    Example:
      both = tf.contrib.image.compose_transforms(turn, move)
    """
    assert transforms, "transforms cannot be empty"
    with name_scope("compose_transforms"):
        composed = flat_transforms_to_matrices(transforms[0])
        for other in transforms[1:]:
            composed = ops.matmul(composed, flat_transforms_to_matrices(other))
        return matrices_to_flat_transforms(composed)
