"""`tf.image.resize_images` and its variants."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from tfmini._src.base import dtypes
from tfmini._src.base.names.deprecation import Function, deprecated
from tfmini._src.base.names.signature import arguments_of
from tfmini._src.graph.opdef import public, raw
from tfmini._src.graph.scopes import name_scope
from tfmini._src.graph.shape_inference import constant_dims
from tfmini._src.graph.tensor import Tensor, TensorLike
from tfmini._src.ops import ops
from tfmini._src.ops.image.crop_or_pad import pad_to_bounding_box
from tfmini._src.ops.image.image_checks import (
    as_batch,
    checks_of_images,
    image_sizes,
    larger,
    require,
    restore_rank,
)


class ResizeMethod:
    """Resampling methods of `tf.image.resize_images`."""

    BILINEAR = 0
    NEAREST_NEIGHBOR = 1
    BICUBIC = 2
    AREA = 3


_METHODS = {
    ResizeMethod.BILINEAR: "ResizeBilinear",
    "bilinear": "ResizeBilinear",
    ResizeMethod.NEAREST_NEIGHBOR: "ResizeNearestNeighbor",
    "nearest": "ResizeNearestNeighbor",
    ResizeMethod.BICUBIC: "ResizeBicubic",
    "bicubic": "ResizeBicubic",
    ResizeMethod.AREA: "ResizeArea",
    "area": "ResizeArea",
}


def _static_size(size: Any) -> list[int | None]:
    dims = constant_dims(size)
    return [None, None] if dims is None else list(dims)


def _same_aspect(images: Any, height: Any, width: Any) -> Tensor:
    """Returns the largest size within another size that preserves the aspect ratio of the images."""
    _, rows, columns, _ = image_sizes(images, 4)
    single = dtypes.float32
    scales = []
    for expected, actual in ((height, rows), (width, columns)):
        expected = ops.cast(expected, single)
        scales.append(expected / ops.cast(actual, single))
    scale = ops.minimum(*scales)
    sizes = [
        ops.cast(ops.round(scale * ops.cast(actual, single)), dtypes.int32)
        for actual in (rows, columns)
    ]
    return ops.convert_to_tensor(sizes, dtypes.int32, name="size")


@public
def resize_images(
    images: TensorLike,
    size: TensorLike,
    method: str | int = ResizeMethod.BILINEAR,
    align_corners: bool = False,
    preserve_aspect_ratio: bool = False,
    name: str | None = None,
) -> Tensor:
    """Resizes images.

    Args:
      images: real tensor [height, width, channels] or [batch, height, width, channels].
      size: [2] int32, the new height and width.
      method: one of `tf.image.ResizeMethod`, or "bilinear", "nearest", "bicubic", "area".
      align_corners: whether to align the centers of the corner pixels.
      preserve_aspect_ratio: whether to use the largest size within `size` that preserves the aspect ratio.

    Returns:
      A tensor of the same rank: float32, or the dtype of `images` if the size is unchanged or the method is nearest
      neighbor.

    Raises:
      ValueError: if the rank is not 3 or 4, `size` is not a vector of two elements, or the method is unknown.

    Example: `tf.image.resize_images(images, [224, 224])`.
    """
    return resize_image_batch(
        images, _resizer(method, align_corners), size, preserve_aspect_ratio, name
    )


def _resizer(method: str | int, align_corners: bool) -> Callable[[Any, Any], Tensor]:
    """Returns the function of a batch and a size that resizes by this method."""

    def resize(images: Any, size: Any) -> Tensor:
        op_name = _METHODS.get(method) if isinstance(method, (int, str)) else None
        if op_name is None:
            raise ValueError("Resize method is not implemented.")
        return getattr(raw, op_name)(images, size, align_corners=align_corners)

    return resize


def resize_image_batch(
    images: Any,
    resized: Callable[[Any, Any], Tensor],
    size: Any,
    preserve_aspect_ratio: bool,
    name: str | None,
    keeps_size: bool = True,
) -> Tensor:
    """Resizes an image or a batch by `resized(batch, size)`.

    With `keeps_size`, an equal size is a no-op unless `preserve_aspect_ratio` is set.
    """
    with name_scope(name, "resize", [images, size]):
        images = ops.convert_to_tensor(images, name="images")
        ndims = images.shape.ndims
        if ndims is None:
            raise ValueError("'images' contains no shape.")
        if ndims not in (3, 4):
            raise ValueError("'images' must have either 3 or 4 dimensions.")
        images, was_one = as_batch(images)
        _, height, width, _ = images.shape.as_list()
        try:
            size = ops.convert_to_tensor(size, dtypes.int32, name="size")
        except (TypeError, ValueError):
            raise ValueError("'size' must be a 1-D int32 Tensor") from None
        if not size.shape.is_compatible_with([2]):
            raise ValueError("'size' must be a 1-D Tensor of 2 elements: new_height, new_width")
        requested = _static_size(size)
        if preserve_aspect_ratio:
            size = _same_aspect(images, *requested)
            requested = _static_size(size)
        is_same = None not in requested and requested == [height, width]
        if keeps_size and is_same and not preserve_aspect_ratio:
            return restore_rank(images, was_one)
        images = resized(images, size)
        images.set_shape([None, *requested, None])
        return restore_rank(images, was_one)


@public
def resize_image_with_pad(
    image: TensorLike,
    target_height: TensorLike,
    target_width: TensorLike,
    method: str | int = ResizeMethod.BILINEAR,
    align_corners: bool = False,
) -> Tensor:
    """Resizes images to fit a size, preserving their aspect ratio, then centers and zero-pads them.

    Args:
      image: real tensor [height, width, channels] or [batch, height, width, channels].
      target_height, target_width: the size of the result, ints or scalar tensors.
      method: one of `tf.image.ResizeMethod`.
      align_corners: whether to align the centers of the corner pixels.

    Returns:
      A tensor of the same rank, with the dtype that `tf.image.resize_images` returns for a changed size.

    Raises:
      ValueError: if a size is not positive, or the rank is not 3 or 4.
    """

    def resize(images: Any, size: Any) -> Tensor:
        resized = _resizer(method, align_corners)
        return resize_image_batch(images, resized, size, False, None, keeps_size=False)

    return resize_and_pad(image, resize, target_height, target_width)


def resize_and_pad(
    image: Any, resized: Callable[[Any, Any], Tensor], target_height: Any, target_width: Any
) -> Tensor:
    """Resizes images by `resized(images, size)` to fit a size, preserving the aspect ratio, then zero-pads them."""
    with name_scope(None, "resize_image_with_pad", [image]):
        image = ops.convert_to_tensor(image, name="image")
        image, was_one = as_batch(image)
        checks = checks_of_images(image)
        checks += require(target_width > 0, "target_width must be > 0.")
        checks += require(target_height > 0, "target_height must be > 0.")
        image = ops.with_dependencies(checks, image)
        _, height, width, _ = image_sizes(image, 4)
        sizes, (top, left) = _fit_size(height, width, target_height, target_width)
        padded = pad_to_bounding_box(resized(image, sizes), top, left, target_height, target_width)
        image_sizes(padded, 4)
        return restore_rank(padded, was_one)


def _fit_size(height: Any, width: Any, target_height: Any, target_width: Any) -> tuple[list, list]:
    """Returns the (size, offset) of an image that is scaled to fit a target size and centered."""
    double, integer = dtypes.float64, dtypes.int32
    height, width, target_height, target_width = (
        ops.cast(size, double) for size in (height, width, target_height, target_width)
    )
    ratio = larger(width / target_width, height / target_height)
    rows, columns = height / ratio, width / ratio
    sizes = [ops.cast(ops.floor(size), integer) for size in (rows, columns)]
    pads = [(target_height - rows) / 2, (target_width - columns) / 2]
    floors = [ops.floor(pad) for pad in pads]
    return sizes, [larger(0, ops.cast(floor, integer)) for floor in floors]


# The ops, by their older names -----------------------------------------------------------------------


def _deprecated_method(method: str) -> Callable[[Function], Function]:
    return deprecated(None, f"Use `tf.image.resize(...method=ResizeMethod.{method}...)` instead.")


@_deprecated_method("BILINEAR")
def resize_bilinear(
    images: TensorLike,
    size: TensorLike,
    align_corners: bool = False,
    name: str | None = None,
    half_pixel_centers: bool = False,
) -> Tensor:
    """Resizes images by bilinear interpolation.

    Args:
      images: real tensor [batch, height, width, channels].
      size: [2] int32, the new height and width.
      align_corners: whether to align the centers of the corner pixels.
      half_pixel_centers: whether pixel centers are at half-integer positions.

    Returns:
      [batch, new height, new width, channels] float32 tensor.
    """
    return raw.ResizeBilinear(
        images, size, align_corners=align_corners, half_pixel_centers=half_pixel_centers, name=name
    )


@_deprecated_method("NEAREST_NEIGHBOR")
@arguments_of(resize_bilinear)
def resize_nearest_neighbor(images: TensorLike, size: TensorLike, **kwargs: Any) -> Tensor:
    """Resizes images by nearest neighbor, preserving the dtype; see `tf.image.resize_bilinear` for the arguments."""
    return raw.ResizeNearestNeighbor(images, size, **kwargs)


@_deprecated_method("BICUBIC")
@arguments_of(resize_bilinear)
def resize_bicubic(images: TensorLike, size: TensorLike, **kwargs: Any) -> Tensor:
    """Resizes images by bicubic interpolation; see `tf.image.resize_bilinear` for the arguments."""
    return raw.ResizeBicubic(images, size, **kwargs)


@_deprecated_method("AREA")
@arguments_of(resize_bilinear, "half_pixel_centers")
def resize_area(images: TensorLike, size: TensorLike, **kwargs: Any) -> Tensor:
    """Resizes images by area averaging; see `tf.image.resize_bilinear` for the arguments."""
    return raw.ResizeArea(images, size, **kwargs)
