"""`tf.contrib.summary` functions, which add ops that write a summary if the thread's condition is true."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from tfmini._src.base import proto
from tfmini._src.base.dtypes import int64, uint8
from tfmini._src.graph.collections import add_to_collection
from tfmini._src.graph.default_graph import get_default_graph
from tfmini._src.graph.eager.execution_mode import executing_eagerly
from tfmini._src.graph.graph import Graph
from tfmini._src.graph.graph_keys import GraphKeys
from tfmini._src.graph.scopes import control_dependencies, name_scope
from tfmini._src.graph.tensor import Tensor, TensorLike
from tfmini._src.ops import ops, raw
from tfmini._src.ops.summaries import summary_scope
from tfmini._src.train.global_step import get_or_create_global_step
from tfmini._src.train.summary_v2.record_summaries import DEFAULTS, should_record_summaries


def _step_tensor(step: Any) -> Any:
    if step is None:
        return get_or_create_global_step()
    return step if isinstance(step, Tensor) else ops.convert_to_tensor(step, int64)


def _write_if_recording(
    name: str, tensor: Any, write: Callable[[Any, str, str], Any], family: Any
) -> Any:
    """Adds `write(resource, tag, scope)` under the thread's condition; a no-op if there is no writer."""
    writer = DEFAULTS.writer
    if writer is None:
        return ops.no_op()
    around = get_default_graph().get_name_scope()

    def record() -> Tensor:
        with (
            name_scope(around and around + "/"),
            summary_scope.summary_scope(name, family, values=[tensor]) as (tag, scope),
            control_dependencies([write(writer._resource, tag, scope)]),
        ):
            return ops.constant(True)

    with get_default_graph().device("cpu:0"):
        condition = should_record_summaries()
        operation = ops.smart_cond(condition, record, lambda: ops.constant(False), name="")
        if not executing_eagerly():
            add_to_collection(GraphKeys._SUMMARY_COLLECTION, operation)
    return operation


def generic(
    name: str,
    tensor: TensorLike,
    metadata: Any = None,
    family: str | None = None,
    step: TensorLike | None = None,
) -> Any:
    """Writes a whole tensor, for a TensorBoard plugin.

    Args:
      name: summary name; the tag prefixes it with the name scopes.
      tensor: a tensor of any shape and dtype.
      metadata: a `tf.SummaryMetadata`, or a string Tensor of its serialization.
      family: prefix of the tag.
      step: an int64 scalar, by default the global step.

    Returns:
      The op to run: a bool Tensor, or a `tf.no_op` without a writer.
    """

    def write(resource: Any, tag: str, scope: str) -> Any:
        if metadata is None:
            serialized = ops.constant("")
        elif hasattr(metadata, "SerializeToString"):
            serialized = ops.constant(metadata.SerializeToString())
        else:
            serialized = metadata
        when, value = _step_tensor(step), ops.identity(tensor)
        return raw.WriteSummary(resource, when, value, tag, serialized, name=scope)

    return _write_if_recording(name, tensor, write, family)


def scalar(
    name: str, tensor: TensorLike, family: str | None = None, step: TensorLike | None = None
) -> Any:
    """Writes a scalar.

    Args:
      name: summary name; the tag prefixes it with the name scopes.
      tensor: a scalar of any real dtype.
      family: prefix of the tag.
      step: an int64 scalar, by default the global step.

    Returns:
      The op to run: a bool Tensor, or a `tf.no_op` without a writer.

    Example: `tf.contrib.summary.scalar("loss", loss)`
    """

    def write(resource: Any, tag: str, scope: str) -> Any:
        when, value = _step_tensor(step), ops.identity(tensor)
        return raw.WriteScalarSummary(resource, when, tag, value, name=scope)

    return _write_if_recording(name, tensor, write, family)


def histogram(
    name: str, tensor: TensorLike, family: str | None = None, step: TensorLike | None = None
) -> Any:
    """Writes a histogram of a tensor.

    Args:
      name: summary name; the tag prefixes it with the name scopes.
      tensor: real numbers, of any shape.
      family: prefix of the tag.
      step: an int64 scalar, by default the global step.

    Returns:
      The op to run: a bool Tensor, or a `tf.no_op` without a writer.

    Raises:
      InvalidArgumentError: when run, if an element is infinite or NaN.
    """

    def write(resource: Any, tag: str, scope: str) -> Any:
        when, values = _step_tensor(step), ops.identity(tensor)
        return raw.WriteHistogramSummary(resource, when, tag, values, name=scope)

    return _write_if_recording(name, tensor, write, family)


def image(
    name: str,
    tensor: TensorLike,
    bad_color: TensorLike | None = None,
    max_images: int = 3,
    family: str | None = None,
    step: TensorLike | None = None,
) -> Any:
    """Writes images.

    Args:
      name: summary name; tags prefix it with the name scopes and append "/image".
      tensor: [batch, height, width, channels], uint8, float16 or float32, as in `tf.summary.image`.
      bad_color: color of infinite or NaN pixels, a uint8 vector; red by default.
      max_images: maximum number of images to write.
      family: prefix of the tags.
      step: an int64 scalar, by default the global step.

    Returns:
      The op to run: a bool Tensor, or a `tf.no_op` without a writer.
    """

    def write(resource: Any, tag: str, scope: str) -> Any:
        red = ops.constant([255, 0, 0, 255], dtype=uint8) if bad_color is None else bad_color
        when, pictures = _step_tensor(step), ops.identity(tensor)
        return raw.WriteImageSummary(
            resource, when, tag, pictures, red, max_images=max_images, name=scope
        )

    return _write_if_recording(name, tensor, write, family)


def audio(
    name: str,
    tensor: TensorLike,
    sample_rate: TensorLike,
    max_outputs: int,
    family: str | None = None,
    step: TensorLike | None = None,
) -> Any:
    """Writes audio clips.

    Args:
      name: summary name; tags prefix it with the name scopes and append "/audio".
      tensor: [batch, samples, channels] or [batch, samples], float32 from -1 to 1.
      sample_rate: samples per second, a float32 scalar.
      max_outputs: maximum number of clips to write.
      family: prefix of the tags.
      step: an int64 scalar, by default the global step.

    Returns:
      The op to run: a bool Tensor, or a `tf.no_op` without a writer.
    """

    def write(resource: Any, tag: str, scope: str) -> Any:
        when, sounds = _step_tensor(step), ops.identity(tensor)
        return raw.WriteAudioSummary(
            resource, when, tag, sounds, sample_rate, max_outputs=max_outputs, name=scope
        )

    return _write_if_recording(name, tensor, write, family)


def graph(param: TensorLike, step: TensorLike | None = None, name: str | None = None) -> Any:
    """Writes a graph, regardless of the thread's condition.

    Args:
      param: a string Tensor of a serialized GraphDef, usually a placeholder; in eager mode also a `tf.Graph` or
        GraphDef.
      step: an int64 scalar, by default the global step.

    Returns:
      The Operation; a `tf.no_op` if the thread has no writer.

    Raises:
      TypeError: in graph mode, if `param` is not a Tensor.
    """
    if not isinstance(param, Tensor) and not executing_eagerly():
        raise TypeError(
            f"graph() needs a tf.Tensor (e.g. tf.placeholder) in graph mode, but was: {type(param)}"
        )
    writer = DEFAULTS.writer
    if writer is None:
        return ops.no_op()
    with get_default_graph().device("cpu:0"):
        if isinstance(param, Graph):
            param = param.as_graph_def(add_shapes=True)
        if isinstance(param, proto.GraphDef):
            param = param.SerializeToString()
        message = ops.identity(param)
        return raw.WriteGraphSummary(writer._resource, _step_tensor(step), message, name=name)


def import_event(tensor: TensorLike, name: str | None = None) -> Any:
    """Writes an event unchanged, regardless of the thread's condition.

    Args:
      tensor: a string scalar, a serialized `tf.Event`.

    Returns:
      The Operation.

    Raises:
      AttributeError: if the thread has no writer.
    """
    return raw.ImportEvent(DEFAULTS.writer._resource, tensor, name=name)
