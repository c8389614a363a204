"""Numeric summaries: scalars, and histograms whose bucket widths grow by 10%."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from tfmini._src.base.dtypes import float32
from tfmini._src.base.errors import invalid
from tfmini._src.graph.graph_keys import GraphKeys
from tfmini._src.graph.opdef import Attr, op, raw
from tfmini._src.graph.shape_inference import scalar as scalar_shape
from tfmini._src.graph.tensor import Tensor, TensorLike
from tfmini._src.ops.operands import shape_text
from tfmini._src.ops.string.string_elements import array_shape, list_strings, scalar_string
from tfmini._src.ops.summaries import summary_scope
from tfmini._src.ops.summaries.encoding import encode_histogram, encode_scalar
from tfmini._src.ops.summaries.histogram_buckets import compute_histogram
from tfmini._src.ops.summaries.summary_scope import collect, skip_summary, skipped_summary
from tfmini._src.ops.type_lists import REAL_NUMBERS


@op(
    "ScalarSummary",
    "tags: string, values: T -> summary: string",
    infer=scalar_shape,
    differentiable=False,
    T=REAL_NUMBERS,
)
def scalar_summary_op(xp, tags, values):
    if array_shape(tags) != values.shape:
        names = list_strings(tags)
        tag = f" (tag '{names[0].decode(errors='replace')}')" if len(names) == 1 else ""
        invalid(
            f"tags and values not the same shape: {shape_text(array_shape(tags))} != "
            f"{shape_text(values.shape)}{tag}"
        )
    scalars = np.asarray(values, np.float32).ravel().tolist()
    return b"".join([encode_scalar(*value) for value in zip(list_strings(tags), scalars)])


@op(
    "HistogramSummary",
    "tag: string, values: T -> summary: string",
    infer=scalar_shape,
    differentiable=False,
    T=Attr("type", float32, allowed=REAL_NUMBERS),
)
def histogram_summary_op(ctx, tag, values):
    if array_shape(tag):
        invalid("tags must be scalar")
    return encode_histogram(scalar_string(tag), compute_histogram(values, ctx.op.name))


def scalar(
    name: str,
    tensor: TensorLike,
    collections: Sequence[str] | None = None,
    family: str | None = None,
) -> Tensor:
    """Creates a scalar summary, which TensorBoard plots over the steps.

    Args:
      name: the node name; with the enclosing scopes, the tag in TensorBoard.
      tensor: a scalar of any real dtype.
      collections: names of collections to add the summary to; by default `tf.GraphKeys.SUMMARIES`.
      family: the tag prefix; TensorBoard groups tags by family.

    Returns:
      A scalar string Tensor: a serialized `tf.Summary`, for `FileWriter.add_summary`.

    Raises:
      InvalidArgumentError: when run, if `tensor` has more than one element.

    Example:
      tf.summary.scalar("loss", loss)
      merged = tf.summary.merge_all()
      writer.add_summary(session.run(merged), step)
    """
    if skip_summary():
        return skipped_summary()
    with summary_scope.summary_scope(name, family, values=[tensor]) as (tag, scope):
        summary = raw.ScalarSummary(tag, tensor, name=scope)
        collect(summary, collections, [GraphKeys.SUMMARIES])
    return summary


def histogram(
    name: str,
    values: TensorLike,
    collections: Sequence[str] | None = None,
    family: str | None = None,
) -> Tensor:
    """Creates a histogram summary, the distribution of the elements of a tensor.

    Args:
      name: the node name; with the enclosing scopes, the tag in TensorBoard.
      values: a tensor of any shape and any real dtype.
      collections: names of collections to add the summary to; by default `tf.GraphKeys.SUMMARIES`.
      family: the tag prefix; TensorBoard groups tags by family.

    Returns:
      A scalar string Tensor: a serialized `tf.Summary`, for `FileWriter.add_summary`.

    Raises:
      InvalidArgumentError: when run, if an element is infinite or NaN.

    Example: `tf.summary.histogram("weights", weights)`
    """
    if skip_summary():
        return skipped_summary()
    with summary_scope.summary_scope(name, family, "HistogramSummary", [values]) as (tag, scope):
        summary = raw.HistogramSummary(tag, values, name=scope)
        collect(summary, collections, [GraphKeys.SUMMARIES])
    return summary
