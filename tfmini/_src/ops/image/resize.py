"""`tf.image.resize_images` and related functions."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from tfmini._src.base import dtypes
from tfmini._src.base.names.deprecation import Function, deprecated
from tfmini._src.base.names.signature import arguments_of
from tfmini._src.graph.opdef import public, raw
from tfmini._src.graph.scopes import name_scope
from tfmini._src.graph.shape_inference import constant_dims
from tfmini._src.graph.tensor import Tensor
from tfmini._src.ops import ops
from tfmini._src.ops.image.crop_and_pad import pad_to_bounding_box
from tfmini._src.ops.image.image_checks import (
    as_batch,
    as_before,
    checks_of_images,
    image_sizes,
    larger,
    required,
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


def _known(size: Any) -> list[int | None]:
    dims = constant_dims(size)
    return [None, None] if dims is None else list(dims)


def _same_aspect(images: Any, height: Any, width: Any) -> Tensor:
    """The largest size of the images' aspect within another."""
    _, rows, columns, _ = image_sizes(images, 4)
    single = dtypes.float32
    scales = []
    for wanted, actual in ((height, rows), (width, columns)):
        wanted = ops.cast(wanted, single)
        scales.append(wanted / ops.cast(actual, single))
    scale = ops.minimum(*scales)
    sizes = [
        ops.cast(ops.round(scale * ops.cast(actual, single)), dtypes.int32)
        for actual in (rows, columns)
    ]
    return ops.convert_to_tensor(sizes, dtypes.int32, name="size")


@public
def resize_images(
    images: Any,
    size: Any,
    method: Any = ResizeMethod.BILINEAR,
    align_corners: bool = False,
    preserve_aspect_ratio: bool = False,
    name: str | None = None,
) -> Tensor:
    """Images resized to another size.

    Args:
      images: [height, width, channels] or [batch, height, width, channels] tensor of real numbers.
      size: [2] int32: the new height and width.
      method: one of `tf.image.ResizeMethod`, or "bilinear", "nearest", "bicubic", "area".
      align_corners: whether the middles of the pixels in the corners stay where they are.
      preserve_aspect_ratio: whether the result has the largest size within `size` of the image's aspect.
      name: the name of the scope.

    Returns:
      A tensor of the same rank: float32, but of the dtype of `images` where nothing is changed or for the nearest
      neighbours.

    Raises:
      ValueError: the rank is not 3 or 4, the size is no vector of two, there is no such method.

    Example: `tf.image.resize_images(images, [224, 224])`.
    """

    def resized(images: Any, size: Any) -> Tensor:
        kind = _METHODS.get(method) if isinstance(method, (int, str)) else None
        if kind is None:
            raise ValueError("Resize method is not implemented.")
        return getattr(raw, kind)(images, size, align_corners=align_corners)

    return resized_images(images, resized, size, preserve_aspect_ratio, name)


def resized_images(
    images: Any,
    resized: Callable[[Any, Any], Tensor],
    size: Any,
    preserve_aspect_ratio: bool,
    name: str | None,
    keeps_size: bool = True,
) -> Tensor:
    """Images or a batch of them, resized by `resized(batch, size)`; unchanged, if `keeps_size`, where it is theirs."""
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
        wanted = _known(size)
        if preserve_aspect_ratio:
            size = _same_aspect(images, *wanted)
            wanted = _known(size)
        if keeps_size and None not in wanted and wanted == [height, width]:
            return as_before(images, was_one)
        images = resized(images, size)
        images.set_shape([None, *wanted, None])
        return as_before(images, was_one)


@public
def resize_image_with_pad(
    image: Any,
    target_height: Any,
    target_width: Any,
    method: Any = ResizeMethod.BILINEAR,
    align_corners: bool = False,
) -> Tensor:
    """Images resized with their aspect ratio kept, centered and zero-padded.

    Args:
      image: [height, width, channels] or [batch, height, width, channels] tensor of real numbers.
      target_height, target_width: the size of the result, ints or scalar tensors.
      method: one of `tf.image.ResizeMethod`.
      align_corners: whether the middles of the pixels in the corners stay where they are.

    Returns:
      A tensor of the same rank, as `tf.image.resize_images` gives it.

    Raises:
      ValueError: a size is not positive, the rank is not 3 or 4.
    """

    def resized(images: Any, size: Any) -> Tensor:
        return resize_images(images, size, method, align_corners=align_corners)

    return resized_with_pad(image, resized, target_height, target_width)


def resized_with_pad(
    image: Any, resized: Callable[[Any, Any], Tensor], target_height: Any, target_width: Any
) -> Tensor:
    """Images resized by `resized(images, size)` into a size, with their aspect ratio kept, and zero-padded."""
    with name_scope(None, "resize_image_with_pad", [image]):
        image = ops.convert_to_tensor(image, name="image")
        image, was_one = as_batch(image)
        checks = checks_of_images(image)
        checks += required(target_width > 0, "target_width must be > 0.")
        checks += required(target_height > 0, "target_height must be > 0.")
        image = ops.with_dependencies(checks, image)
        _, height, width, _ = image_sizes(image, 4)
        sizes, (top, left) = _within(height, width, target_height, target_width)
        padded = pad_to_bounding_box(resized(image, sizes), top, left, target_height, target_width)
        image_sizes(padded, 4)
        return as_before(padded, was_one)


def _within(height: Any, width: Any, target_height: Any, target_width: Any) -> tuple[list, list]:
    """(size, offset) of an image scaled to fit, centered, into a target size."""
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


def _older(method: str) -> Callable[[Function], Function]:
    return deprecated(None, f"Use `tf.image.resize(...method=ResizeMethod.{method}...)` instead.")


@_older("BILINEAR")
def resize_bilinear(
    images: Any,
    size: Any,
    align_corners: bool = False,
    name: str | None = None,
    half_pixel_centers: bool = False,
) -> Tensor:
    """Images resized by bilinear interpolation between four pixels.

    Args:
      images: [batch, height, width, channels] tensor of real numbers.
      size: [2] int32: the new height and width.
      align_corners: whether the middles of the pixels in the corners stay where they are.
      name: the name of the node.
      half_pixel_centers: whether pixels have their middles at halves.

    Returns:
      [batch, new height, new width, channels] float32 tensor.
    """
    return raw.ResizeBilinear(
        images, size, align_corners=align_corners, half_pixel_centers=half_pixel_centers, name=name
    )


@_older("NEAREST_NEIGHBOR")
@arguments_of(resize_bilinear)
def resize_nearest_neighbor(images: Any, size: Any, **given: Any) -> Tensor:
    """Images resized by taking the nearest pixels, of the same dtype; same arguments as `tf.image.resize_bilinear`."""
    return raw.ResizeNearestNeighbor(images, size, **given)


@_older("BICUBIC")
@arguments_of(resize_bilinear)
def resize_bicubic(images: Any, size: Any, **given: Any) -> Tensor:
    """Images resized by bicubic interpolation between sixteen pixels; same arguments as `tf.image.resize_bilinear`."""
    return raw.ResizeBicubic(images, size, **given)


@_older("AREA")
@arguments_of(resize_bilinear, "half_pixel_centers")
def resize_area(images: Any, size: Any, **given: Any) -> Tensor:
    """Images resized by averaging over the area of each pixel; same arguments as `tf.image.resize_bilinear`."""
    return raw.ResizeArea(images, size, **given)
