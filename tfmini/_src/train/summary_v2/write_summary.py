"""Base functions of `tf.compat.v2.summary`, which write a tensor with a tag and a step."""

from __future__ import annotations

import contextlib
import re
from collections.abc import Callable, Iterator
from typing import Any

from tfmini._src.base import logs, proto
from tfmini._src.graph.collections import add_to_collection
from tfmini._src.graph.default_graph import get_default_graph
from tfmini._src.graph.eager.execution_mode import executing_eagerly
from tfmini._src.graph.graph_keys import GraphKeys
from tfmini._src.graph.scopes import control_dependencies, name_scope
from tfmini._src.ops import ops, raw
from tfmini._src.train.summary_v2.record_summaries import DEFAULTS, get_step, recording_condition

_INVALID_CHARACTER = re.compile(r"[^-_/.A-Za-z0-9]")


@contextlib.contextmanager
def summary_scope(
    name: str, default_name: str = "summary", values: Any = None
) -> Iterator[tuple[str, str]]:
    """Context manager that opens a name scope for a custom summary op.

    Args:
      name: the name of the summary, with arbitrary characters.
      default_name: the name used if `name` is empty.
      values: the input tensors.

    Yields:
      (tag, scope): the unchanged name prefixed with the enclosing scopes, and the unique name scope.

    Example:
      with summary_scope(name, "scalar_summary", values=[data]) as (tag, _):
          return tf.compat.v2.summary.write(tag, tf.cast(data, tf.float32), step=step)
    """
    name = name or default_name
    around = get_default_graph().get_name_scope()
    tag = f"{around}/{name}" if around else name
    with name_scope(_INVALID_CHARACTER.sub("", name) or None, default_name, values) as scope:
        yield tag, scope


def write(
    tag: str, tensor: Any, step: Any = None, metadata: Any = None, name: str | None = None
) -> Any:
    """Writes a tensor with the thread's writer, unless the thread's condition is false.

    Args:
      tag: the summary's tag, usually from `summary_scope`.
      tensor: a tensor of any shape and dtype.
      step: an int64 scalar; by default the step set by `tf.compat.v2.summary.experimental.set_step`.
      metadata: a `tf.SummaryMetadata`, or bytes or a string Tensor of its serialization.

    Returns:
      Whether the tensor was written, a bool scalar; False without a writer.

    Raises:
      ValueError: if a writer is set without a step.
    """
    serialized = b"" if metadata is None else metadata
    if isinstance(metadata, proto.SummaryMetadata):
        serialized = metadata.SerializeToString()

    def add(resource: Any, step: Any, scope: str) -> Any:
        return raw.WriteSummary(resource, step, ops.identity(tensor), tag, serialized, name=scope)

    return _write_if_recording(add, step, name, "write_summary")


def write_raw_pb(tensor: Any, step: Any = None, name: str | None = None) -> Any:
    """Writes serialized summaries.

    Args:
      tensor: a string Tensor, each element of which is a serialized `tf.Summary`.
      step, name: as in `tf.compat.v2.summary.write`.

    Returns:
      Whether they were written, a bool scalar; False without a writer.

    Raises:
      ValueError: if a writer is set without a step.
    """

    def add(resource: Any, step: Any, scope: str) -> Any:
        return raw.WriteRawProtoSummary(resource, step, ops.identity(tensor), name=scope)

    return _write_if_recording(add, step, name, "write_raw_pb")


def _write_if_recording(
    add: Callable[..., Any], step: Any, name: str | None, default_name: str
) -> Any:
    """Adds `add(resource, step, scope)` under the thread's condition; returns False if there is no writer."""
    with name_scope(name, default_name) as scope:
        writer = DEFAULTS.writer
        if writer is None:
            return ops.constant(False)
        if step is None:
            step = get_step()
            if step is None:
                raise ValueError(
                    "No step set via 'step' argument or tf.summary.experimental.set_step()"
                )

        def record() -> Any:
            with get_default_graph().device("cpu:0"):
                with control_dependencies([add(writer._resource, step, scope)]):
                    return ops.constant(True)

        with get_default_graph().device("cpu:0"):
            condition = recording_condition(default_condition=True)
            result = ops.smart_cond(
                condition, record, lambda: ops.constant(False), name="summary_cond"
            )
            if not executing_eagerly():
                add_to_collection(GraphKeys._SUMMARY_COLLECTION, result)
            return result


def _write_message(
    name: str, data: str | bytes, plugin: str, scope: str, value: Any, step: Any
) -> Any:
    """Writes a message for a TensorBoard plugin, in version 1."""
    metadata = proto.SummaryMetadata()
    metadata.plugin_data.plugin_name = plugin
    metadata.plugin_data.content = b"1"
    with summary_scope(name, scope, [value, step]) as (tag, _):
        with get_default_graph().device("cpu:0"):
            tensor = ops.constant(data)
        return write(tag, tensor, step, metadata)


def run_metadata(name: str, data: Any, step: Any = None) -> Any:
    """Writes a `tf.RunMetadata` for TensorBoard's graph page.

    Args:
      name: the summary's name.
      data: the RunMetadata.
      step: as in `tf.compat.v2.summary.write`.
    """
    plugin = "graph_run_metadata"
    return _write_message(name, data.SerializeToString(), plugin, f"{plugin}_summary", data, step)


def run_metadata_graphs(name: str, data: Any, step: Any = None) -> Any:
    """Writes the graphs of a `tf.RunMetadata`; arguments are as in `run_metadata`."""
    graphs = proto.RunMetadata(
        function_graphs=data.function_graphs, partition_graphs=data.partition_graphs
    )
    plugin = "graph_run_metadata_graph"
    return _write_message(
        name, graphs.SerializeToString(), plugin, f"{plugin}_summary", graphs, step
    )


def keras_model(name: str, data: Any, step: Any = None) -> Any:
    """Writes the configuration of a Keras model for TensorBoard's layer graph.

    Args:
      name: the summary's name.
      data: the model.
      step: as in `tf.compat.v2.summary.write`.

    Returns:
      Whether the configuration was written; False if the model has none.
    """
    try:
        text = data.to_json()
    except Exception as error:
        logs.warn(f"Model failed to serialize as JSON. Ignoring... {error}")
        return False
    plugin = "graph_keras_model"
    return _write_message(name, text, plugin, plugin, data, step)
