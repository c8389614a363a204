"""`tf.contrib.deprecated`: summary functions from 2016, which accept tags as tensors."""

from typing import Any as _Any

from tfmini._src.base.dtypes import float32 as _float32
from tfmini._src.base.names.deprecation import deprecated as _deprecated
from tfmini._src.graph.collections import get_collection as _get_collection
from tfmini._src.graph.convert_to_tensor import convert_to_tensor as _convert_to_tensor
from tfmini._src.graph.graph_keys import GraphKeys as _GraphKeys
from tfmini._src.graph.scopes import name_scope as _name_scope
from tfmini._src.ops import raw as _raw
from tfmini._src.ops.summaries.summary_scope import collect as _collect

_DATE = "2016-11-30"


def _tag_notice(new: str, remedy: str = "") -> str:
    return (
        f"Please switch to {new}. Note that {new} uses the node name instead of the tag. This means that TensorFlow "
        f"will automatically de-duplicate summary names based on the scope they are created in.{remedy}"
    )


@_deprecated(
    _DATE,
    _tag_notice(
        "tf.summary.scalar",
        " Also, passing a tensor or list of tags to a scalar summary op is no longer supported.",
    ),
)
def scalar_summary(
    tags: _Any, values: _Any, collections: _Any = None, name: str | None = None
) -> _Any:
    """Returns a scalar summary as a scalar string Tensor.

    Args:
      tags: strings, of any shape.
      values: real numbers of the same shape.
      collections: keys of collections; by default `tf.GraphKeys.SUMMARIES`.

    Raises:
      InvalidArgumentError (at run time): if the shapes differ.

    Example: `tf.contrib.deprecated.scalar_summary("loss", loss)`
    """
    with _name_scope(name, "ScalarSummary", [tags, values]) as scope:
        summary = _raw.ScalarSummary(tags, values, name=scope)
        _collect(summary, collections, [_GraphKeys.SUMMARIES])
    return summary


@_deprecated(_DATE, _tag_notice("tf.summary.histogram"))
def histogram_summary(
    tag: _Any, values: _Any, collections: _Any = None, name: str | None = None
) -> _Any:
    """Returns a histogram summary as a scalar string Tensor.

    Args:
      tag: a scalar string.
      values: real numbers of any shape.
      collections: as in `scalar_summary`.

    Raises:
      InvalidArgumentError (at run time): if an element is infinite or NaN.
    """
    with _name_scope(name, "HistogramSummary", [tag, values]) as scope:
        summary = _raw.HistogramSummary(tag, values, name=scope)
        _collect(summary, collections, [_GraphKeys.SUMMARIES])
    return summary


@_deprecated(
    _DATE,
    _tag_notice("tf.summary.image", " Also, the max_images argument was renamed to max_outputs."),
)
def image_summary(
    tag: _Any, tensor: _Any, max_images: int = 3, collections: _Any = None, name: str | None = None
) -> _Any:
    """Returns an image summary as a scalar string Tensor.

    Args:
      tag: a scalar string; several images are tagged `tag/image/0` and so on.
      tensor: [batch, height, width, channels], uint8 or floats, of 1, 3 or 4 channels.
      max_images: maximum number of images per batch.
      collections: as in `scalar_summary`.
    """
    with _name_scope(name, "ImageSummary", [tag, tensor]) as scope:
        summary = _raw.ImageSummary(tag, tensor, max_images=max_images, name=scope)
        _collect(summary, collections, [_GraphKeys.SUMMARIES])
    return summary


@_deprecated(_DATE, _tag_notice("tf.summary.audio"))
def audio_summary(
    tag: _Any,
    tensor: _Any,
    sample_rate: _Any,
    max_outputs: int = 3,
    collections: _Any = None,
    name: str | None = None,
) -> _Any:
    """Returns an audio summary as a scalar string Tensor.

    Args:
      tag: a scalar string.
      tensor: [batch, frames, channels] or [batch, frames], floats from -1 to 1.
      sample_rate: frames per second, a scalar float.
      max_outputs: maximum number of clips per batch.
      collections: as in `scalar_summary`.
    """
    with _name_scope(name, "AudioSummary", [tag, tensor]) as scope:
        rate = _convert_to_tensor(sample_rate, dtype=_float32, name="sample_rate")
        summary = _raw.AudioSummaryV2(tag, tensor, rate, max_outputs=max_outputs, name=scope)
        _collect(summary, collections, [_GraphKeys.SUMMARIES])
    return summary


@_deprecated(_DATE, "Please switch to tf.summary.merge.")
def merge_summary(inputs: _Any, collections: _Any = None, name: str | None = None) -> _Any:
    """Combines several summaries into one, a scalar string Tensor.

    Args:
      inputs: a list of serialized summaries, string tensors.
      collections: keys of collections; by default none.

    Raises:
      InvalidArgumentError (at run time): for duplicate tags.
    """
    with _name_scope(name, "MergeSummary", inputs):
        summary = _raw.MergeSummary(inputs, name=name)
        _collect(summary, collections, [])
    return summary


@_deprecated(_DATE, "Please switch to tf.summary.merge_all.")
def merge_all_summaries(key: str = _GraphKeys.SUMMARIES) -> _Any:
    """Merges the summaries in a collection of the default graph; returns None if it is empty."""
    summaries = _get_collection(key)
    return merge_summary(summaries) if summaries else None
