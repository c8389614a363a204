"""Summaries of `tf.compat.v2.summary`, which are tensors for TensorBoard plugins."""

from __future__ import annotations

from typing import Any

from tfmini._src.base import dtypes, proto
from tfmini._src.functions.functional_ops import map_fn
from tfmini._src.graph.tensor import Tensor
from tfmini._src.ops import ops, raw
from tfmini._src.ops.image.pixel_scaling import convert_image_dtype
from tfmini._src.train.summary_v2.write_summary import summary_scope, write

_BUCKETS = 30
_WAV = b"\x10\x0b"  # the encoding that the plugin recognizes


def scalar(name: str, data: Any, step: Any = None, description: str | None = None) -> Tensor:
    """Writes a scalar.

    Args:
      name: summary name; the tag prefixes it with the name scopes.
      data: a real scalar.
      step: an integer scalar; by default the step set by `tf.compat.v2.summary.experimental.set_step`.
      description: description of the summary, in Markdown.

    Returns:
      Whether the summary was written, a bool scalar.

    Raises:
      ValueError: if `data` is not a scalar, or a writer is set without a step.

    Example:
      with tf.compat.v2.summary.create_file_writer("/tmp/log").as_default():
          tf.compat.v2.summary.scalar("loss", 0.5, step=1)
    """
    with summary_scope(name, "scalar_summary", [data, step]) as (tag, _):
        ops.assert_scalar(data)
        value = ops.cast(data, dtypes.float32)
        return write(tag, value, step, _metadata("scalars", description=description))


def text(name: str, data: Any, step: Any = None, description: str | None = None) -> Tensor:
    """Writes texts, in Markdown.

    Args:
      name: summary name; the tag prefixes it with the name scopes.
      data: strings of any shape; two dimensions are displayed as a table.
      step: an integer scalar; by default the step set by `tf.compat.v2.summary.experimental.set_step`.
      description: description of the summary, in Markdown.

    Returns:
      Whether the summary was written, a bool scalar.

    Raises:
      TypeError: if `data` is not of dtype string.
    """
    with summary_scope(name, "text_summary", [data, step]) as (tag, _):
        ops.assert_type(data, dtypes.string)
        return write(tag, data, step, _metadata("text", description=description))


def histogram(
    name: str,
    data: Any,
    step: Any = None,
    buckets: int | None = None,
    description: str | None = None,
) -> Tensor:
    """Writes a histogram of a tensor's elements.

    Args:
      name: summary name; the tag prefixes it with the name scopes.
      data: real numbers, of any shape.
      step: an integer scalar; by default the step set by `tf.compat.v2.summary.experimental.set_step`.
      buckets: number of equal-width buckets, by default 30.
      description: description of the summary, in Markdown.

    Returns:
      Whether the summary was written, a bool scalar.
    """
    with summary_scope(name, "histogram_summary", [data, buckets, step]) as (tag, _):
        rows = _bucket_counts(data, _BUCKETS if buckets is None else buckets)
        return write(tag, rows, step, _metadata("histograms", description=description))


def _bucket_counts(data: Any, buckets: Any) -> Tensor:
    """Returns the bounds and count of each bucket, [buckets, 3]; a single bucket if all elements are equal."""
    values = ops.reshape(ops.cast(data, dtypes.float64), [-1])

    def count_in_buckets() -> Tensor:
        min_value, greatest = ops.reduce_min(values), ops.reduce_max(values)

        def histogram_of_range() -> Tensor:
            width = (greatest - min_value) / ops.cast(buckets, dtypes.float64)
            bucket_indices = ops.cast(ops.floor((values - min_value) / width), dtypes.int32)
            counts = ops.bincount(ops.minimum(bucket_indices, buckets - 1), minlength=buckets)
            edges = ops.linspace(min_value, greatest, buckets + 1)
            counts = ops.cast(counts, dtypes.float64)
            return ops.transpose(ops.stack([edges[:-1], edges[1:], counts]))

        def histogram_of_one() -> Tensor:
            total = ops.cast(ops.size(values), dtypes.float64)
            return ops.stack([[min_value - 0.5, greatest + 0.5, total]])

        result: Tensor = ops.cond(greatest > min_value, histogram_of_range, histogram_of_one)
        return result

    rows: Tensor = ops.cond(
        ops.equal(ops.size(values), 0), lambda: ops.zeros([0, 3], dtypes.float64), count_in_buckets
    )
    return rows


def image(
    name: str,
    data: Any,
    step: Any = None,
    max_outputs: int = 3,
    description: str | None = None,
) -> Tensor:
    """Writes images, as PNG.

    Args:
      name: summary name; the tag prefixes it with the name scopes.
      data: [batch, height, width, channels], uint8, or floats from 0 to 1.
      step: an integer scalar; by default the step set by `tf.compat.v2.summary.experimental.set_step`.
      max_outputs: maximum number of images to write.
      description: description of the summary, in Markdown.

    Returns:
      Whether the summary was written, a bool scalar.

    Raises:
      ValueError: if `data` is not of rank 4.
    """
    with summary_scope(name, "image_summary", [data, max_outputs, step]) as (tag, _):
        ops.assert_rank(data, 4)
        pictures = convert_image_dtype(data, dtypes.uint8, saturate=True)[:max_outputs]
        files = _encode_images(raw.EncodePng, pictures)
        height_and_width = ops.as_string(ops.shape(data)[1:3])
        strings = ops.concat([ops.reverse(height_and_width, [0]), files], 0)
        return write(tag, strings, step, _metadata("images", description=description))


def audio(
    name: str,
    data: Any,
    sample_rate: Any,
    step: Any = None,
    max_outputs: int = 3,
    encoding: str | None = None,
    description: str | None = None,
) -> Tensor:
    """Writes audio clips as WAV.

    Args:
      name, step, description: as in `image`.
      data: [batch, samples, channels], float32 from -1 to 1.
      sample_rate: samples per second, an integer.
      max_outputs: maximum number of clips to write.
      encoding: "wav" or None.

    Returns:
      Whether the summary was written, a bool scalar.

    Raises:
      ValueError: if `data` is not of rank 3, or for other encodings.
    """
    if encoding not in (None, "wav"):
        raise ValueError(f"Unknown encoding: {encoding!r}")
    with summary_scope(name, "audio_summary", [data, sample_rate, max_outputs, step]) as (tag, _):
        ops.assert_rank(data, 3)
        sounds = ops.cast(data, dtypes.float32)[:max_outputs]
        files = _encode_images(lambda sound: raw.EncodeWav(sound, sample_rate), sounds)
        rows = ops.stack([files, ops.fill(ops.shape(files), "")], axis=1)
        return write(tag, rows, step, _metadata("audio", _WAV, description))


def _metadata(plugin: str, content: bytes = b"", description: str | None = None) -> Any:
    """Returns the metadata that selects the TensorBoard plugin of a summary."""
    metadata = proto.SummaryMetadata(summary_description=description or "")
    metadata.plugin_data.plugin_name = plugin
    metadata.plugin_data.content = content
    return metadata


def _encode_images(encode: Any, values: Tensor) -> Tensor:
    files: Tensor = map_fn(encode, values, dtype=dtypes.string)
    return files
