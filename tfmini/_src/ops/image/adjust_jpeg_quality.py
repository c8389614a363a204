"""Degradation of images by JPEG compression."""

from __future__ import annotations

from tfmini._src.base import dtypes
from tfmini._src.graph.opdef import public, raw
from tfmini._src.graph.scopes import name_scope
from tfmini._src.graph.tensor import Tensor, TensorLike
from tfmini._src.ops import ops
from tfmini._src.ops.image.image_checks import is_tensor
from tfmini._src.ops.image.pixel_scaling import convert_image_dtype


@public
def adjust_jpeg_quality(
    image: TensorLike, jpeg_quality: TensorLike, name: str | None = None
) -> Tensor:
    """Degrades an image by encoding it as JPEG with quality `jpeg_quality` and decoding it again.

    Args:
      image: [height, width, 1 or 3] tensor.
      jpeg_quality: a scalar int32, from 0 to 100.

    Returns:
      A tensor of the same shape and dtype.
    """
    with name_scope(name, "adjust_jpeg_quality", [image]) as name:
        image = ops.convert_to_tensor(image, name="image")
        dtype = image.dtype
        image = convert_image_dtype(image, dtypes.uint8)
        if not is_tensor(jpeg_quality):
            jpeg_quality = ops.convert_to_tensor(jpeg_quality, dtype=dtypes.int32)
        file = raw.EncodeJpegVariableQuality(image, jpeg_quality)
        return convert_image_dtype(raw.DecodeJpeg(file), dtype)


@public
def random_jpeg_quality(
    image: TensorLike, min_jpeg_quality: int, max_jpeg_quality: int, seed: int | None = None
) -> Tensor:
    """Degrades an image by JPEG encoding with a random quality in [min_jpeg_quality, max_jpeg_quality).

    Args:
      image: [height, width, 1 or 3] tensor.
      min_jpeg_quality, max_jpeg_quality: integers from 0 to 100.
      seed: an integer; see `tf.set_random_seed`.

    Returns:
      A tensor of the same shape and dtype.

    Raises:
      ValueError: if the range is empty or exceeds [0, 100].
    """
    quality_range = (min_jpeg_quality, max_jpeg_quality)
    if min(quality_range) < 0 or max(quality_range) > 100:
        raise ValueError("jpeg encoding range must be between 0 and 100.")
    if min_jpeg_quality >= max_jpeg_quality:
        raise ValueError("`min_jpeg_quality` must be less than `max_jpeg_quality`.")
    quality = ops.random_uniform([], *quality_range, seed=seed, dtype=dtypes.int32)
    return adjust_jpeg_quality(image, quality)
