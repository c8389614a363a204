"""Summaries of numbers: one, or a histogram of many in buckets that grow by a tenth."""

from __future__ import annotations

import functools
import sys
from typing import Any

import numpy as np

from tfmini import proto
from tfmini.dtypes import float32
from tfmini.errors import invalid
from tfmini.graph.inference import scalar as scalar_shape
from tfmini.graph.keys import GraphKeys
from tfmini.graph.opdef import Attr, op, raw
from tfmini.graph.tensor import Tensor
from tfmini.ops.operands import shape_text
from tfmini.ops.string.string_elements import listed, shape_of, single
from tfmini.ops.summaries.scopes import collect, summary_scope
from tfmini.ops.type_lists import REAL_NUMBERS


@op("ScalarSummary", "tags: string, values: T -> summary: string", T=REAL_NUMBERS)
def scalar_summary_op(xp, tags, values):
    if shape_of(tags) != values.shape:
        names = listed(tags)
        tag = f" (tag '{names[0].decode(errors='replace')}')" if len(names) == 1 else ""
        invalid(
            f"tags and values not the same shape: {shape_text(shape_of(tags))} != "
            f"{shape_text(values.shape)}{tag}"
        )
    message = proto.Summary()
    numbers = np.asarray(values).ravel().astype(np.float32).tolist()
    for name, number in zip(listed(tags), numbers):
        message.value.add(tag=name, simple_value=number)
    return message.SerializeToString()


scalar_summary_op.infer(scalar_shape)
scalar_summary_op.not_differentiable()


@op(
    "HistogramSummary",
    "tag: string, values: T -> summary: string",
    T=Attr("type", float32, allowed=REAL_NUMBERS),
)
def histogram_summary_op(ctx, tag, values):
    if shape_of(tag):
        invalid("tags must be scalar")
    message = proto.Summary()
    message.value.add(tag=single(tag), histo=histogram_of(values, ctx.op.name))
    return message.SerializeToString()


histogram_summary_op.infer(scalar_shape)
histogram_summary_op.not_differentiable()


@functools.cache
def bucket_limits() -> np.ndarray:
    """Where TensorFlow's buckets end: 1e-12 times powers of 1.1 below 1e20, each by one product, then the largest
    double; the same with a minus; 0."""
    limits = []
    limit = 1e-12
    while limit < 1e20:
        limits.append(limit)
        limit *= 1.1
    limits.append(sys.float_info.max)
    return np.array([-limit for limit in reversed(limits)] + [0.0] + limits)


def histogram_of(values: Any, name: str) -> Any:
    """The HistogramProto of numbers: neighbouring buckets without any are one. `name` is for the error."""
    numbers = np.asarray(values).ravel().astype(np.float64)
    if not np.isfinite(numbers).all():
        first = numbers[~np.isfinite(numbers)][0]
        what = "Nan" if np.isnan(first) else "Infinity"
        invalid(f"{what} in summary histogram for: {name}")
    limits = bucket_limits()
    found = np.searchsorted(limits, numbers, side="right").clip(max=limits.size - 1)
    counts = np.bincount(found, minlength=limits.size)
    # Of neighbours without a number the last one stays: what is dropped is empty and followed by one that is.
    kept = (counts > 0) | np.append(counts[1:] > 0, True)
    with np.errstate(over="ignore"):
        sums = [np.cumsum(terms)[-1] if terms.size else 0.0 for terms in (numbers, numbers**2)]
    message = proto.HistogramProto(
        # A zero has no sign, as in the messages that TensorFlow writes.
        min=numbers.min() + 0.0 if numbers.size else sys.float_info.max,
        max=numbers.max() + 0.0 if numbers.size else -sys.float_info.max,
        num=numbers.size,
        sum=sums[0] + 0.0,  # one after another, as TensorFlow adds
        sum_squares=sums[1],
    )
    message.bucket_limit.extend(limits[kept].tolist())
    message.bucket.extend(counts[kept].astype(np.float64).tolist())
    return message


def scalar(name: str, tensor: Any, collections: Any = None, family: str | None = None) -> Tensor:
    """A summary of one number, for a curve over the steps.

    Args:
      name: the node's name, and with the scopes around it the tag that TensorBoard shows.
      tensor: one number: a tensor without axes, of any real dtype.
      collections: names of collections that the summary goes to; `tf.GraphKeys.SUMMARIES` unless given.
      family: what the tag begins with; TensorBoard shows tags of one family together.

    Returns:
      A scalar string Tensor: a serialized `tf.Summary`, for `FileWriter.add_summary`.

    Raises:
      InvalidArgumentError: when run, if `tensor` has more than one element.

    Example:
      tf.summary.scalar("loss", loss)
      merged = tf.summary.merge_all()
      writer.add_summary(session.run(merged), step)
    """
    with summary_scope(name, family, [tensor]) as (tag, scope):
        summary = raw.ScalarSummary(tag, tensor, name=scope)
        collect(summary, collections, [GraphKeys.SUMMARIES])
    return summary


def histogram(name: str, values: Any, collections: Any = None, family: str | None = None) -> Tensor:
    """A summary of how the elements of a tensor are distributed.

    Args:
      name: the node's name, and with the scopes around it the tag that TensorBoard shows.
      values: a tensor of any shape and of any real dtype.
      collections: names of collections that the summary goes to; `tf.GraphKeys.SUMMARIES` unless given.
      family: what the tag begins with; TensorBoard shows tags of one family together.

    Returns:
      A scalar string Tensor: a serialized `tf.Summary`, for `FileWriter.add_summary`.

    Raises:
      InvalidArgumentError: when run, if an element is infinite or no number.

    Example: `tf.summary.histogram("weights", weights)`
    """
    with summary_scope(name, family, [values], "HistogramSummary") as (tag, scope):
        summary = raw.HistogramSummary(tag, values, name=scope)
        collect(summary, collections, [GraphKeys.SUMMARIES])
    return summary
