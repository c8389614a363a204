"""Print, PrintV2 and StringFormat, which output values while the graph runs."""

from __future__ import annotations

import os
import sys
from collections.abc import Sequence
from typing import Any

import numpy as np

from tfmini._src.base import dtypes, logs, runtime_log
from tfmini._src.base.errors import InvalidArgumentError
from tfmini._src.base.locks import make_lock
from tfmini._src.base.names.deprecation import deprecated
from tfmini._src.base.names.lazy_imports import pprint, random
from tfmini._src.base.nest.structure import flatten, map_structure, pack_sequence_as
from tfmini._src.graph.attributes import to_bytes
from tfmini._src.graph.composite_values import SparseTensor
from tfmini._src.graph.is_tensor import is_tensor
from tfmini._src.graph.opdef import Attr, op, public, raw
from tfmini._src.graph.operation import Operation
from tfmini._src.graph.shape_inference import InferenceError, same_shape
from tfmini._src.graph.tensor import Tensor, TensorLike
from tfmini._src.ops.checks.value_text import format_value, summarize_value
from tfmini._src.ops.operands import dense, shape_text


class _Counter:
    """Thread-safe counter of the prints of a node."""

    def __init__(self) -> None:
        self._lock = make_lock()
        self._count = 0

    def count_below(self, limit: int) -> bool:
        """Increments the counter and returns whether it was below `limit`."""
        with self._lock:
            self._count += 1
            return self._count <= limit


@op(
    "Print",
    "input: T, data: U -> output: T",
    infer=same_shape,
    gradient=lambda op, grad: [grad, *[None] * (len(op.inputs) - 1)],
    stateful=True,
    view=True,
    static_inputs=("data",),
    T=Attr("type"),
    U=Attr("list(type)", minimum=0),
    message="",
    first_n=-1,
    summarize=3,
)
def print_op(ctx, value, data, *, message, first_n, summarize):
    if first_n < 0 or ctx.resources.node_state(ctx.op, _Counter).count_below(first_n):
        values_text = "".join(f"[{summarize_value(item, summarize)}]" for item in data)
        sys.stderr.write(f"{message}{values_text}\n")
    return value


print_op.forwards(output="input")


@public
@deprecated(
    "2018-08-20",
    "Use tf.print instead of tf.Print. Note that tf.print returns a no-output operator that "
    "directly prints the output. Outside of defuns or eager mode, this operator will not be "
    "executed unless it is directly specified in session.run or used as a control dependency for "
    "other operators. This is only a concern in graph mode. Below is an example of how to ensure "
    "tf.print executes in graph mode:\n",
)
def Print(
    input_: TensorLike,
    data: Sequence[TensorLike],
    message: str | None = None,
    first_n: int | None = None,
    summarize: int | None = None,
    name: str | None = None,
) -> Tensor:
    """Returns `input_`; writes `data` to stderr each time it is computed.

    Args:
      input_: a tensor.
      data: a list of tensors, each written in brackets.
      message: the prefix of the line.
      first_n: the number of times to write; negative or None for no limit.
      summarize: the number of elements to write of each tensor, by default 3.
    """
    return raw.Print(input_, data, message=message, first_n=first_n, summarize=summarize, name=name)


@op(
    "StringFormat",
    "inputs: T -> output: string",
    static_inputs=("inputs",),
    T=Attr("list(type)", minimum=0),
    template="%s",
    placeholder="%s",
    summarize=3,
)
def string_format_op(xp, inputs, *, template, placeholder, summarize):
    first, *segments = template.split(placeholder)
    text = first + "".join(
        format_value(value, summarize) + part for value, part in zip(inputs, segments)
    )
    return to_bytes(text)


@string_format_op.infer
def _(op):
    slots = op.attrs["template"].count(op.attrs["placeholder"])
    if slots != len(op.inputs):
        raise InferenceError(
            f"num placeholders in template and num inputs must match: {slots} vs. {len(op.inputs)}"
        )
    return ()


def string_format(
    template: str, inputs: Any, placeholder: str = "{}", summarize: int = 3, name: str | None = None
) -> Tensor:
    """Formats tensors into the placeholders of `template`.

    Args:
      template: the text with placeholders.
      inputs: a tensor or a list of tensors.
      placeholder: the placeholder of a tensor in the text.
      summarize: the number of first and last elements to write of each axis; -1 for all.

    Returns:
      string scalar tensor.

    Raises:
      ValueError: if the numbers of tensors and placeholders differ.

    Example: `tf.strings.format("loss: {}", loss)`.
    """
    if is_tensor(inputs):
        inputs = [inputs]
    slots = template.count(placeholder)
    if slots != len(inputs):
        raise ValueError(
            f"{slots} placeholder(s) in template does not match {len(inputs)} tensor(s) provided "
            "as input"
        )
    return raw.StringFormat(
        inputs, template=template, placeholder=placeholder, summarize=summarize, name=name
    )


_STREAMS = ("stdout", "stderr", "log(info)", "log(warning)", "log(error)")


@op(
    "PrintV2",
    "input: string ->",
    stateful=True,
    static_inputs=("input",),
    output_stream="stderr",
    end="\n",
    file_attr=("output_stream", "file://.*"),
)
def print_v2_op(ctx, text, *, output_stream, end):
    if np.ndim(dense(text)):
        shape = shape_text(text.shape)
        raise InvalidArgumentError(None, ctx.op, f"Input is expected to be scalar, but got {shape}")
    line = text + to_bytes(end)
    if output_stream.startswith("file://"):
        with open(output_stream[len("file://") :], "ab") as file:
            file.write(line)
    elif output_stream in ("stdout", "stderr"):
        runtime_log.write_bytes(sys.stdout if output_stream == "stdout" else sys.stderr, line)
    elif output_stream in _STREAMS:
        runtime_log.log(_STREAMS.index(output_stream) - 2, line)
    else:
        raise InvalidArgumentError(
            None,
            ctx.op,
            f"Unknown output stream: {output_stream}, Valid streams are: {' '.join(_STREAMS)}",
        )
    return ()


@print_v2_op.infer
def _(op):
    dims = op.inputs[0]._dims
    if dims != ():
        rank = -1 if dims is None else len(dims)
        raise InferenceError(f"input must be a scalar, but has rank: {rank}")
    return []


def _stream_name(output_stream: Any) -> str:
    """Returns the name that PrintV2 uses for a stream, a logging function or level, or a file."""
    if isinstance(output_stream, str) and output_stream.startswith("file://"):
        return output_stream
    names = {sys.stdout: "stdout", sys.stderr: "stderr"}
    absl = sys.modules.get("absl.logging")
    for log in (logs, absl) if absl is not None else (logs,):
        names |= {log.INFO: "log(info)", log.info: "log(info)", log.WARN: "log(warning)"}
        names |= {log.warning: "log(warning)", log.warn: "log(warning)"}
        names |= {log.ERROR: "log(error)", log.error: "log(error)"}
    if output_stream not in names:
        raise ValueError(
            f"Unsupported output stream, logging level, or file.{output_stream}. Supported "
            "streams are "
            "sys.stdout, sys.stderr, tf.logging.info, tf.logging.warning, tf.logging.error. File "
            "needs to be "
            "in the form of 'file://<filepath>'."
        )
    return names[output_stream]


def _placeholder_absent_from(text: str) -> str:
    placeholder = "{}"
    digits = random.Random(5)
    while placeholder in text:
        placeholder += str(digits.randint(0, 9))
    return placeholder


def _template(value: Any, placeholder: str, tensors: list) -> str:
    """Converts an input of `tf.print` to text with placeholders; appends its tensors to `tensors`."""
    formatted: list[Any] = []
    for leaf in flatten(value):
        if isinstance(leaf, SparseTensor):
            tensors += [leaf.indices, leaf.values, leaf.dense_shape]
            formatted.append(
                f"SparseTensor(indices={placeholder}, values={placeholder}, shape={placeholder})"
            )
        elif is_tensor(leaf):
            tensors.append(leaf)
            formatted.append(placeholder)
        else:
            formatted.append(leaf)
    if isinstance(value, str):
        return value
    with np.printoptions(legacy="1.25"):  # 1.5, not np.float32(1.5)
        return pprint.pformat(pack_sequence_as(value, formatted))


@public(name="print")
def print_values(*inputs: Any, **kwargs: Any) -> Operation:
    """Returns an operation that prints its inputs when it runs, as Python's `print` would.

    Args:
      *inputs: tensors, sparse tensors, nested structures of them, and other Python objects.
      **kwargs: `output_stream`, sys.stderr (default), sys.stdout, a function or level of `tf.logging`, or "file://"
        followed by a path; `summarize`, number of first and last elements per axis (3), -1 for all; `sep` (" ");
        `end` (a newline); `name`, the name of the node.

    Raises:
      ValueError: for an unknown keyword or stream.

    Example:
      with tf.control_dependencies([tf.print("loss:", loss)]):
          train = optimizer.minimize(loss)
    """
    output_stream = kwargs.pop("output_stream", sys.stderr)
    name = kwargs.pop("name", None)
    summarize = kwargs.pop("summarize", 3)
    separator = kwargs.pop("sep", " ")
    end = kwargs.pop("end", os.linesep)
    if kwargs:
        raise ValueError(f"Unrecognized keyword arguments for tf.print: {kwargs}")
    stream = _stream_name(output_stream)
    text: Any = inputs[0] if len(inputs) == 1 else None
    if not _is_string_scalar(text):
        plain = map_structure(lambda x: "" if is_tensor(x) else x, inputs)
        placeholder = _placeholder_absent_from(" ".join(pprint.pformat(x) for x in plain))
        tensors: list[Any] = []
        templates = [_template(value, placeholder, tensors) for value in inputs]
        template = separator.join(templates).replace(f"'{placeholder}'", placeholder)
        text = string_format(
            template, tensors, placeholder, summarize, f"{name}_format" if name else None
        )
    return raw.PrintV2(text, output_stream=stream, end=end, name=name)


def _is_string_scalar(value: Any) -> bool:
    return (
        is_tensor(value)
        and not isinstance(value, SparseTensor)
        and value.shape.ndims == 0
        and value.dtype == dtypes.string
    )
