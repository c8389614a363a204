"""Cropping and padding of images: to a box, to a size, to the central region."""

from __future__ import annotations

from typing import Any

from tfmini._src.base import dtypes
from tfmini._src.graph.opdef import public
from tfmini._src.graph.scopes import name_scope
from tfmini._src.graph.tensor import Tensor, TensorLike
from tfmini._src.ops import ops
from tfmini._src.ops.image.image_checks import (
    as_batch,
    checked_image,
    checks_of_images,
    image_sizes,
    is_tensor,
    larger,
    require,
    restore_rank,
    smaller,
)


def _static_sizes(sizes: list[Any]) -> list[int | None]:
    return [None if is_tensor(size) else size for size in sizes]


@public
def pad_to_bounding_box(
    image: TensorLike, offset_height: Any, offset_width: Any, target_height: Any, target_width: Any
) -> Tensor:
    """Pads an image, or each image in a batch, with zeros to a bounding box.

    Args:
      image: [height, width, channels] or [batch, height, width, channels] tensor.
      offset_height, offset_width: the number of zero rows above and zero columns to the left; ints or scalar tensors.
      target_height, target_width: the size of the result; ints or scalar tensors.

    Returns:
      A tensor of the same rank and dtype.

    Raises:
      ValueError: if the image is too large, an offset is negative, or the rank is not 3 or 4.

    Example: `tf.image.pad_to_bounding_box(image, 2, 2, 32, 32)`.
    """
    with name_scope(None, "pad_to_bounding_box", [image]):
        image = ops.convert_to_tensor(image, name="image")
        image, was_one = as_batch(image)
        checks = checks_of_images(image)
        batch, height, width, depth = image_sizes(image, 4)
        right = target_width - offset_width - width
        bottom_padding = target_height - offset_height - height
        checks += require(offset_height >= 0, "offset_height must be >= 0")
        checks += require(offset_width >= 0, "offset_width must be >= 0")
        checks += require(right >= 0, "width must be <= target - offset")
        checks += require(bottom_padding >= 0, "height must be <= target - offset")
        image = ops.with_dependencies(checks, image)
        pads = [0, 0, offset_height, bottom_padding, offset_width, right, 0, 0]
        padded = ops.pad(image, ops.reshape(ops.stack(pads), [4, 2]))
        padded.set_shape(_static_sizes([batch, target_height, target_width, depth]))
        return restore_rank(padded, was_one)


@public
def crop_to_bounding_box(
    image: TensorLike, offset_height: Any, offset_width: Any, target_height: Any, target_width: Any
) -> Tensor:
    """Crops an image, or each image in a batch, to a bounding box.

    Args:
      image: [height, width, channels] or [batch, height, width, channels] tensor.
      offset_height, offset_width: the first row and column of the crop; ints or scalar tensors.
      target_height, target_width: the size of the crop; ints or scalar tensors.

    Returns:
      A tensor of the same rank and dtype.

    Raises:
      ValueError: if the crop exceeds the image or is empty, or the rank is not 3 or 4.
    """
    with name_scope(None, "crop_to_bounding_box", [image]):
        image = ops.convert_to_tensor(image, name="image")
        image, was_one = as_batch(image)
        checks = checks_of_images(image)
        batch, height, width, depth = image_sizes(image, 4)
        checks += require(offset_width >= 0, "offset_width must be >= 0.")
        checks += require(offset_height >= 0, "offset_height must be >= 0.")
        checks += require(target_width > 0, "target_width must be > 0.")
        checks += require(target_height > 0, "target_height must be > 0.")
        checks += require(width >= target_width + offset_width, "width must be >= target + offset.")
        checks += require(
            height >= target_height + offset_height, "height must be >= target + offset."
        )
        image = ops.with_dependencies(checks, image)
        begin = ops.stack([0, offset_height, offset_width, 0])
        cropped = ops.slice(image, begin, ops.stack([-1, target_height, target_width, -1]))
        cropped.set_shape(_static_sizes([batch, target_height, target_width, depth]))
        return restore_rank(cropped, was_one)


@public
def resize_image_with_crop_or_pad(
    image: TensorLike, target_height: Any, target_width: Any
) -> Tensor:
    """Center-crops or zero-pads an image, or each image in a batch, to a size.

    Args:
      image: [height, width, channels] or [batch, height, width, channels] tensor.
      target_height, target_width: the size of the result; ints or scalar tensors.

    Returns:
      A tensor of the same rank and dtype.

    Raises:
      ValueError: if a size is not positive, or the rank is not 3 or 4.
    """
    with name_scope(None, "resize_image_with_crop_or_pad", [image]):
        image = ops.convert_to_tensor(image, name="image")
        image, was_one = as_batch(image)
        checks = checks_of_images(image)
        checks += require(target_width > 0, "target_width must be > 0.")
        checks += require(target_height > 0, "target_height must be > 0.")
        image = ops.with_dependencies(checks, image)
        if is_tensor(target_height):
            target_height = ops.with_dependencies(checks, target_height)
        if is_tensor(target_width):
            target_width = ops.with_dependencies(checks, target_width)
        _, height, width, _ = image_sizes(image, 4)
        wider = target_width - width
        crop_left = larger(-wider // 2, 0)
        pad_left = larger(wider // 2, 0)
        missing_height = target_height - height
        crop_top = larger(-missing_height // 2, 0)
        pad_top = larger(missing_height // 2, 0)
        rows, columns = smaller(target_height, height), smaller(target_width, width)
        cropped = crop_to_bounding_box(image, crop_top, crop_left, rows, columns)
        resized = pad_to_bounding_box(cropped, pad_top, pad_left, target_height, target_width)
        _, height, width, _ = image_sizes(resized, 4)
        checks = require(_equal(height, target_height), "resized height is not correct.")
        checks += require(_equal(width, target_width), "resized width is not correct.")
        return restore_rank(ops.with_dependencies(checks, resized), was_one)


def _equal(x: Any, y: Any) -> Any:
    return ops.equal(x, y) if is_tensor(x) or is_tensor(y) else x == y


def _first_line(size: Any, fraction: float) -> Any:
    """Returns the first row or column of the central `fraction` of `size` rows or columns."""
    if is_tensor(size):
        lines = ops.cast(size, dtypes.float64)
        return ops.cast((lines - lines * fraction) / 2, dtypes.int32)
    return int((float(size) - float(size) * fraction) / 2)


@public
def central_crop(image: TensorLike, central_fraction: float) -> Tensor:
    """Crops the central region of an image, or of each image in a batch.

    Args:
      image: [height, width, channels] or [batch, height, width, channels] tensor.
      central_fraction: the fraction of the height and width to keep, in (0, 1].

    Returns:
      A tensor of the same rank and dtype.

    Raises:
      ValueError: if the fraction is outside (0, 1], or the rank is not 3 or 4.
    """
    with name_scope(None, "central_crop", [image]):
        image = ops.convert_to_tensor(image, name="image")
        if central_fraction <= 0.0 or central_fraction > 1.0:
            raise ValueError("central_fraction must be within (0, 1]")
        if central_fraction == 1.0:
            return image
        checked_image(image)
        rank = image.shape.ndims
        if rank not in (3, 4):
            raise ValueError(
                f"`image` should either be a Tensor with rank = 3 or rank = 4. Had rank = {rank}."
            )
        first = rank - 3
        dims = image.shape.as_list()
        sizes = [
            ops.shape(image)[axis] if dims[axis] is None else dims[axis]
            for axis in (first, first + 1)
        ]
        starts = [_first_line(size, central_fraction) for size in sizes]
        counts = [size - start * 2 for size, start in zip(sizes, starts)]
        begin = ops.stack([*([0] * first), *starts, 0])
        extent = ops.stack([*([-1] * first), *counts, -1])
        image = ops.slice(image, begin, extent)
        image.set_shape([*dims[:first], *_static_sizes(counts), dims[-1]])
        return image
