"""Color space conversions: grayscale, YIQ, YUV."""

from __future__ import annotations

from typing import Any

from tfmini._src.base import dtypes
from tfmini._src.graph.opdef import public
from tfmini._src.graph.scopes import name_scope
from tfmini._src.graph.tensor import Tensor, TensorLike
from tfmini._src.ops import ops
from tfmini._src.ops.image.pixel_scaling import convert_image_dtype

_YIQ_OF_RGB = [
    [0.299, 0.59590059, 0.2115],
    [0.587, -0.27455667, -0.52273617],
    [0.114, -0.32134392, 0.31119955],
]
_RGB_OF_YIQ = [
    [1, 1, 1],
    [0.95598634, -0.27201283, -1.10674021],
    [0.6208248, -0.64720424, 1.70423049],
]
_YUV_OF_RGB = [
    [0.299, -0.14714119, 0.61497538],
    [0.587, -0.28886916, -0.51496512],
    [0.114, 0.43601035, -0.10001026],
]
_RGB_OF_YUV = [[1, 1, 1], [0, -0.394642334, 2.03206185], [1.13988303, -0.58062185, 0]]


def _mix_channels(images: Any, matrix: list) -> Tensor:
    images = ops.convert_to_tensor(images, name="images")
    kernel = ops.convert_to_tensor(matrix, dtype=images.dtype, name="kernel")
    return ops.tensordot(images, kernel, axes=[[images.shape.ndims - 1], [0]])


def rgb_to_yiq(images: TensorLike) -> Tensor:
    """Converts RGB to YIQ, the NTSC color space.

    Args:
      images: float tensor [..., 3] in [0, 1].

    Returns:
      A tensor of the same shape and dtype.
    """
    return _mix_channels(images, _YIQ_OF_RGB)


def yiq_to_rgb(images: TensorLike) -> Tensor:
    """Converts YIQ to RGB.

    Args:
      images: float tensor [..., 3]: Y in [0, 1], I in [-0.5957, 0.5957], Q in [-0.5226, 0.5226].

    Returns:
      A tensor of the same shape and dtype.
    """
    return _mix_channels(images, _RGB_OF_YIQ)


def rgb_to_yuv(images: TensorLike) -> Tensor:
    """Converts RGB to YUV, the PAL color space.

    Args:
      images: float tensor [..., 3] in [0, 1].

    Returns:
      A tensor of the same shape and dtype.
    """
    return _mix_channels(images, _YUV_OF_RGB)


def yuv_to_rgb(images: TensorLike) -> Tensor:
    """Converts YUV to RGB.

    Args:
      images: float tensor [..., 3]: Y in [0, 1], U and V in [-0.5, 0.5].

    Returns:
      A tensor of the same shape and dtype.
    """
    return _mix_channels(images, _RGB_OF_YUV)


@public
def rgb_to_grayscale(images: TensorLike, name: str | None = None) -> Tensor:
    """Converts RGB to grayscale: 0.2989 * red + 0.587 * green + 0.114 * blue.

    Args:
      images: numeric tensor [..., 3].

    Returns:
      [..., 1] tensor of the same dtype.
    """
    with name_scope(name, "rgb_to_grayscale", [images]) as name:
        images = ops.convert_to_tensor(images, name="images")
        floats = convert_image_dtype(images, dtypes.float32)
        gray = ops.tensordot(floats, [0.2989, 0.587, 0.114], [-1, -1])
        gray = ops.expand_dims(gray, -1)
        return convert_image_dtype(gray, images.dtype, name=name)


@public
def grayscale_to_rgb(images: TensorLike, name: str | None = None) -> Tensor:
    """Converts grayscale to RGB with three equal channels.

    Args:
      images: numeric tensor [..., 1].

    Returns:
      [..., 3] tensor of the same dtype.

    Raises:
      ValueError: if the last dimension is not 1.
    """
    with name_scope(name, "grayscale_to_rgb", [images]) as name:
        images = ops.with_dependencies(_grayscale_checks(images), images)
        images = ops.convert_to_tensor(images, name="images")
        channel_axis = ops.expand_dims(ops.rank(images) - 1, 0)
        parts = [ops.ones(channel_axis, dtype=dtypes.int32)] + [ops.expand_dims(3, 0)]
        rgb = ops.tile(images, ops.concat(parts, 0), name=name)
        rgb.set_shape(images.shape[:-1].concatenate([3]))
        return rgb


def _grayscale_checks(images: Any) -> list[Any]:
    wrong = "Last dimension of a grayscale image should be size 1."
    rank_message = "A grayscale image must be at least two-dimensional."
    try:
        if images.get_shape().ndims is None:
            shape = images.get_shape().with_rank(2)
        else:
            shape = images.get_shape().with_rank_at_least(2)
    except ValueError:
        raise ValueError(rank_message) from None
    if shape.is_fully_defined():
        if shape[-1] != 1:
            raise ValueError(wrong)
        return []
    return [
        ops.assert_equal(ops.shape(images)[-1], 1, message=wrong),
        ops.assert_greater_equal(ops.rank(images), 3, message=rank_message),
    ]
