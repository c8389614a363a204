"""Merging of several summaries into one."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from tfmini._src.base import proto
from tfmini._src.base.errors import invalid
from tfmini._src.graph.collections import get_collection
from tfmini._src.graph.eager.execution_mode import require_graph_mode
from tfmini._src.graph.graph_keys import GraphKeys
from tfmini._src.graph.opdef import Attr, op, raw
from tfmini._src.graph.scopes import name_scope
from tfmini._src.graph.shape_inference import scalar as scalar_shape
from tfmini._src.graph.tensor import Tensor
from tfmini._src.ops.string.string_elements import list_strings
from tfmini._src.ops.summaries.summary_scope import clean_tag, collect


@op(
    "MergeSummary",
    "inputs: N*string -> summary: string",
    infer=scalar_shape,
    differentiable=False,
    N=Attr("int", minimum=1),
)
def merge_summary_op(xp, inputs):
    merged = proto.Summary()
    for data in (data for value in inputs for data in list_strings(value)):
        try:
            merged.MergeFromString(data)
        except Exception:  # protobuf's DecodeError, of any implementation
            _check_distinct_tags(merged)
            invalid("Could not parse one of the summary inputs")
    _check_distinct_tags(merged)
    return merged.SerializeToString()


def _check_distinct_tags(summary: Any) -> None:
    """Raises InvalidArgumentError if a tag occurs twice."""
    tags = set()
    for value in summary.value:
        tag = value.tag
        if tag and tag in tags:
            invalid(f"Duplicate tag {tag} found in summary inputs")
        tags.add(tag)


def merge(inputs: Any, collections: Sequence[str] | None = None, name: str | None = None) -> Tensor:
    """Merges several summaries into one.

    Args:
      inputs: a list of string tensors with serialized summaries.
      collections: names of collections to add the new summary to; none by default.

    Returns:
      A scalar string Tensor: a serialized `tf.Summary`.

    Raises:
      InvalidArgumentError (when run): if two summaries have the same tag, or an input is not a serialized summary.

    Example: `tf.summary.merge([loss_summary, accuracy_summary])`
    """
    require_graph_mode(
        "Merging tf.summary.* ops is not compatible with eager execution. Use tf.contrib.summary instead."
    )
    name = clean_tag(name)
    with name_scope(name, "Merge", inputs):
        summary = raw.MergeSummary(inputs, name=name)
        collect(summary, collections, [])
    return summary


def merge_all(
    key: str = GraphKeys.SUMMARIES, scope: str | None = None, name: str | None = None
) -> Tensor | None:
    """Merges all summaries in a collection of the default graph.

    Args:
      key: the collection.
      scope: a regular expression that matches the beginning of the names of the summaries.

    Returns:
      A scalar string Tensor: a serialized `tf.Summary`; None if the collection is empty.

    Raises:
      InvalidArgumentError (when run): if two summaries have the same tag.

    Example: `merged = tf.summary.merge_all()`
    """
    require_graph_mode(
        "Merging tf.summary.* ops is not compatible with eager execution. Use tf.contrib.summary instead."
    )
    summaries = get_collection(key, scope)
    return merge(summaries, name=name) if summaries else None
