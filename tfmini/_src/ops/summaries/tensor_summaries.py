"""Summaries of entire tensors for TensorBoard plugins, including text."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from tfmini._src.base import proto
from tfmini._src.base.dtypes import string
from tfmini._src.base.errors import invalid
from tfmini._src.graph.graph_keys import GraphKeys
from tfmini._src.graph.opdef import Attr, op, raw
from tfmini._src.graph.shape_inference import scalar as scalar_shape
from tfmini._src.graph.tensor import Tensor, TensorLike
from tfmini._src.ops.parsing.serialized_tensors import tensor_message
from tfmini._src.ops.string.string_elements import array_shape, scalar_string
from tfmini._src.ops.summaries import summary_scope
from tfmini._src.ops.summaries.summary_scope import collect, skip_summary, skipped_summary


def merge_metadata(value: Any, serialized: bytes) -> None:
    """Sets the metadata of a summary value from its serialized form; empty if malformed, as in TensorFlow."""
    value.metadata.SetInParent()
    try:
        value.metadata.CopyFrom(proto.SummaryMetadata.FromString(serialized))
    except proto.parse_errors()[0]:
        pass


@op(
    "TensorSummaryV2",
    "tag: string, tensor: T, serialized_summary_metadata: string -> summary: string",
    infer=scalar_shape,
    differentiable=False,
    T=Attr("type"),
)
def tensor_summary_v2_op(xp, tag, tensor, serialized_summary_metadata, *, T):
    if array_shape(tag):
        invalid("tag must be scalar")
    message = proto.Summary()
    value = message.value.add(
        tag=scalar_string(tag).decode("utf-8", "replace"), tensor=tensor_message(tensor, T)
    )
    merge_metadata(value, scalar_string(serialized_summary_metadata))
    return message.SerializeToString()


@op(
    "TensorSummary",
    "tensor: T -> summary: string",
    infer=scalar_shape,
    differentiable=False,
    T=Attr("type"),
    description="",
    labels=Attr("list(string)", []),
    display_name="",
)
def tensor_summary_op(ctx, tensor):
    message = proto.Summary()
    message.value.add(node_name=ctx.op.name, tensor=tensor_message(tensor, ctx.op.attrs["T"]))
    return message.SerializeToString()


def get_summary_description(node_def: proto.NodeDef) -> Any:
    """Returns the `tf.summary.SummaryDescription` stored as JSON in a node of type TensorSummary.

    Raises:
      ValueError: if the node is of a different type.
      google.protobuf.json_format.ParseError: if the attr is malformed.

    Example: `tf.summary.get_summary_description(summary.op.node_def).type_hint`
    """
    if node_def.op != "TensorSummary":
        raise ValueError(f"Can't get_summary_description on {node_def.op}")
    text = node_def.attr["description"].s.decode()
    return proto.parse_json(text, proto.SummaryDescription())


def tensor_summary(
    name: str,
    tensor: TensorLike,
    summary_description: str | None = None,
    collections: Sequence[str] | None = None,
    summary_metadata: proto.SummaryMetadata | None = None,
    family: str | None = None,
    display_name: str | None = None,
) -> Tensor:
    """Creates a summary of an entire tensor, for a TensorBoard plugin.

    Args:
      name: the node name; with the enclosing scopes, the tag.
      tensor: a tensor of any shape and dtype.
      summary_description: a description in Markdown; stored in `summary_metadata`.
      collections: names of collections to add the summary to; by default `tf.GraphKeys.SUMMARIES`.
      summary_metadata: a `tf.SummaryMetadata` that selects the plugin.
      family: the prefix of the tag.
      display_name: the name shown in TensorBoard instead of the tag.

    Returns:
      A scalar string Tensor: a serialized `tf.Summary`, for `FileWriter.add_summary`.

    Example: `tf.summary.tensor_summary("logits", logits)`
    """
    metadata = proto.SummaryMetadata() if summary_metadata is None else summary_metadata
    if summary_description is not None:
        metadata.summary_description = summary_description
    if display_name is not None:
        metadata.display_name = display_name
    serialized = metadata.SerializeToString()
    if skip_summary():
        return skipped_summary()
    with summary_scope.summary_scope(name, family, values=[tensor]) as (tag, scope):
        summary = raw.TensorSummaryV2(tag, tensor, serialized, name=scope)
        collect(summary, collections, [GraphKeys.SUMMARIES])
    return summary


def text(name: str, tensor: Tensor, collections: Sequence[str] | None = None) -> Tensor:
    """Creates a text summary, which TensorBoard renders as Markdown; tensors with one or two axes become tables.

    Args:
      name: the node name; with the enclosing scopes, the tag.
      tensor: a string Tensor.
      collections: names of collections to add the summary to; by default `tf.GraphKeys.SUMMARIES`.

    Returns:
      A scalar string Tensor: a serialized `tf.Summary`, for `FileWriter.add_summary`.

    Raises:
      ValueError: if `tensor` is not a string tensor.

    Example: `tf.summary.text("notes", tf.constant("the *second* run"))`
    """
    if tensor.dtype != string:
        raise ValueError(f"Expected tensor {tensor.name} to have dtype string, got {tensor.dtype}")
    metadata = proto.SummaryMetadata()
    metadata.plugin_data.plugin_name = "text"
    return tensor_summary(name, tensor, collections=collections, summary_metadata=metadata)
