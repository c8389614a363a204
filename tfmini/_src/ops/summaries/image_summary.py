"""Image summaries, stored as PNG files."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from tfmini._src.base import proto
from tfmini._src.base.dtypes import float16, float32, float64, uint8
from tfmini._src.base.errors import invalid
from tfmini._src.devices.host.codecs import png
from tfmini._src.graph.attributes import Literal
from tfmini._src.graph.graph_keys import GraphKeys
from tfmini._src.graph.opdef import Attr, op, raw
from tfmini._src.graph.shape_inference import scalar as scalar_shape
from tfmini._src.graph.tensor import Tensor, TensorLike
from tfmini._src.ops.operands import shape_text
from tfmini._src.ops.string.string_elements import array_shape, scalar_string
from tfmini._src.ops.summaries import summary_scope
from tfmini._src.ops.summaries.summary_scope import collect, skip_summary, skipped_summary

_RED = np.array([255, 0, 0, 255], np.uint8)


@op(
    "ImageSummary",
    "tag: string, tensor: T -> summary: string",
    infer=scalar_shape,
    differentiable=False,
    max_images=Attr("int", 3, minimum=1),
    T=Attr("type", float32, allowed=(uint8, float32, float16, float64)),
    bad_color=Attr("tensor", Literal(_RED, uint8, compact=_RED)),
)
def image_summary_op(xp, tag, tensor, *, max_images, bad_color):
    if array_shape(tag):
        invalid("Tags must be a scalar")
    message = picture_summary(scalar_string(tag), tensor, max_images, bad_color.array)
    return message.SerializeToString()


def picture_summary(tag: bytes, tensor: Any, max_images: int, bad_color: np.ndarray) -> Any:
    """Returns the Summary of the first images in a batch, each as a PNG file."""
    pictures = np.asarray(tensor)
    if pictures.ndim != 4 or pictures.shape[3] not in (1, 3, 4):
        invalid(f"Tensor must be 4-D with last dim 1, 3, or 4, not {shape_text(pictures.shape)}")
    batch, height, width, channels = pictures.shape
    if pictures.dtype != np.uint8 and len(bad_color) < channels:
        invalid(
            f"expected depth <= bad_color.size, got depth = {channels}, bad_color.size = {len(bad_color)}"
        )
    if batch and not pictures.size:
        invalid(f"input tensor must have non-zero dims. Found: {list(pictures.shape)}.")
    base = tag.decode("utf-8", "replace") + "/image"
    message = proto.Summary()
    for index in range(min(max_images, batch)):
        pixels = pictures[index]
        if pixels.dtype != np.uint8:
            pixels = as_pixels(pixels, bad_color[:channels])
        value = message.value.add(tag=f"{base}/{index}" if max_images > 1 else base)
        value.image.height, value.image.width, value.image.colorspace = height, width, channels
        value.image.encoded_image_string = png.encode(pixels, -1)
    return message


def as_pixels(picture: np.ndarray, bad_color: np.ndarray) -> np.ndarray:
    """Converts a float image to bytes: maps the maximum to 255 or, with negative values, 0 to 128.

    Args:
      picture: [height, width, channels] array of floats.
      bad_color: the color of non-finite pixels, uint8 for each channel.
    """
    with np.errstate(all="ignore"):
        extremes = picture.min(), picture.max()
        is_good = np.isfinite(extremes).all()
        if not is_good:
            is_finite_pixel = np.isfinite(picture).all(-1, keepdims=True)
            finite = picture[np.broadcast_to(is_finite_pixel, picture.shape)]
            extremes = finite.min(initial=np.inf), finite.max(initial=-np.inf)
        lowest, highest = map(np.float32, extremes)
        if lowest < 0:
            largest, top, offset = max(abs(lowest), abs(highest)), np.float32(127), 128
        else:
            largest, top, offset = highest, np.float32(255), 0
        scalar = picture.dtype.type
        scale = scalar(0) if largest < np.float32(1e-6) else scalar(top / largest)
        scaled = picture * scale + scalar(offset)
        if is_good:
            return scaled.astype(np.uint8)
        return np.where(
            is_finite_pixel, np.where(is_finite_pixel, scaled, 0).astype(np.uint8), bad_color
        )


def image(
    name: str,
    tensor: TensorLike,
    max_outputs: int = 3,
    collections: Sequence[str] | None = None,
    family: str | None = None,
) -> Tensor:
    """Creates an image summary.

    Floats are scaled for each image separately: the maximum maps to 255 or, with negative values, 0 maps to 128
    and the range remains within bounds. Non-finite pixels are red.

    Args:
      name: the node name; the tags consist of it, "/image" and, if `max_outputs` is more than 1, "/0", "/1" ...
      tensor: uint8 or float tensor [batch, height, width, channels]; 1, 3 or 4 channels: grayscale, RGB or RGBA.
      max_outputs: the maximum number of images to record, from the start of the batch.
      collections: the collections to add the summary to; by default `tf.GraphKeys.SUMMARIES`.
      family: the tag prefix; TensorBoard groups tags by family.

    Returns:
      A scalar string Tensor: a serialized `tf.Summary` with PNG files, for `FileWriter.add_summary`.

    Raises:
      InvalidArgumentError (when run): if `tensor` has an invalid rank or number of channels.

    Example: `tf.summary.image("digits", tf.reshape(x, [-1, 28, 28, 1]), max_outputs=5)`
    """
    if skip_summary():
        return skipped_summary()
    with summary_scope.summary_scope(name, family, values=[tensor]) as (tag, scope):
        summary = raw.ImageSummary(tag, tensor, max_images=max_outputs, name=scope)
        collect(summary, collections, [GraphKeys.SUMMARIES])
    return summary
