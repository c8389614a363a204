"""`tf.compat.v2.image.resize`, with half-pixel centers and methods by name."""

from __future__ import annotations

from typing import Any

from tfmini._src.base import dtypes
from tfmini._src.graph.opdef import raw
from tfmini._src.graph.tensor import Tensor
from tfmini._src.ops import ops
from tfmini._src.ops.image.resize import resize_and_pad, resize_image_batch


class ResizeMethod:
    """Resampling methods of `tf.compat.v2.image.resize`."""

    BILINEAR = "bilinear"
    NEAREST_NEIGHBOR = "nearest"
    BICUBIC = "bicubic"
    AREA = "area"
    LANCZOS3 = "lanczos3"
    LANCZOS5 = "lanczos5"
    GAUSSIAN = "gaussian"
    MITCHELLCUBIC = "mitchellcubic"


# The kernels of ScaleAndTranslate by method: for methods without a separate op, and for antialiasing.
_KERNELS = {
    ResizeMethod.LANCZOS3: "lanczos3",
    ResizeMethod.LANCZOS5: "lanczos5",
    ResizeMethod.GAUSSIAN: "gaussian",
    ResizeMethod.MITCHELLCUBIC: "mitchellcubic",
}
_ANTIALIASING_KERNELS = {ResizeMethod.BILINEAR: "triangle", ResizeMethod.BICUBIC: "keyscubic"}
_OPS = {
    ResizeMethod.BILINEAR: "ResizeBilinear",
    ResizeMethod.NEAREST_NEIGHBOR: "ResizeNearestNeighbor",
    ResizeMethod.BICUBIC: "ResizeBicubic",
}


def _resize(images: Any, size: Any, method: str, antialias: bool) -> Tensor:
    kernel = _KERNELS.get(method)
    if antialias and kernel is None:
        kernel = _ANTIALIASING_KERNELS.get(method)
    if kernel is not None:
        expected = ops.cast(size, dtypes.float32)
        scale = expected / ops.cast(ops.shape(images)[1:3], dtypes.float32)
        return raw.ScaleAndTranslate(
            images, size, scale, ops.zeros([2]), kernel_type=kernel, antialias=antialias
        )
    if method == ResizeMethod.AREA:
        return raw.ResizeArea(images, size)
    if method not in _OPS:
        raise ValueError("Resize method is not implemented.")
    result: Tensor = getattr(raw, _OPS[method])(images, size, half_pixel_centers=True)
    return result


def resize_images_v2(
    images: Any,
    size: Any,
    method: str = ResizeMethod.BILINEAR,
    preserve_aspect_ratio: bool = False,
    antialias: bool = False,
    name: str | None = None,
) -> Tensor:
    """Resizes images.

    Args:
      images: real tensor [height, width, channels] or [batch, height, width, channels].
      size: [2] int32, the new height and width.
      method: one of `tf.compat.v2.image.ResizeMethod`, a string.
      preserve_aspect_ratio: whether to use the largest size within `size` that preserves the aspect ratio.
      antialias: whether to widen the kernel when downsampling.

    Returns:
      A tensor of the same rank: float32, or for nearest neighbor the dtype of `images`.

    Raises:
      ValueError: if the rank is not 3 or 4, `size` is not a vector of two elements, or the method is unknown.

    Example: `tf.compat.v2.image.resize(images, [224, 224], antialias=True)`.
    """
    return resize_image_batch(
        images,
        lambda batch, sizes: _resize(batch, sizes, method, antialias),
        size,
        preserve_aspect_ratio,
        name,
        keeps_size=False,
    )


def resize_image_with_pad_v2(
    image: Any,
    target_height: Any,
    target_width: Any,
    method: str = ResizeMethod.BILINEAR,
    antialias: bool = False,
) -> Tensor:
    """Resizes images to fit a size, preserving their aspect ratio, then centers and zero-pads them.

    Args:
      image: real tensor [height, width, channels] or [batch, height, width, channels].
      target_height, target_width: the size of the result, ints or scalar tensors.
      method: one of `tf.compat.v2.image.ResizeMethod`, a string.
      antialias: whether to widen the kernel when downsampling.

    Returns:
      A tensor of the same rank, with the dtype of `tf.compat.v2.image.resize`.

    Raises:
      ValueError: if a size is not positive, or the rank is not 3 or 4.
    """

    def resize(images: Any, size: Any) -> Tensor:
        return resize_images_v2(images, size, method, antialias=antialias)

    return resize_and_pad(image, resize, target_height, target_width)
