"""From an exception inside a plan to the tf.errors class with the node and the user's line."""

from __future__ import annotations

from types import TracebackType
from typing import Any

import numpy as np

from tfmini import errors
from tfmini.graph.inference import text
from tfmini.runtime.program import Node


def defined_at(op: Any) -> str:
    """` (defined at FILE:LINE)`, the user's line that made the node."""
    location = op.user_location()
    return "" if location is None else f" (defined at {location.filename}:{location.lineno})"


def where(op: Any) -> str:
    """`[[node NAME (defined at FILE:LINE)]]`."""
    return f"[[node {op.name}{defined_at(op)}]]"


def located(error: errors.OpError, op: Any) -> errors.OpError:
    """The error as the caller of `run` sees it: its text, then the node and the user's line."""
    message = f"{error.message}\n\t {where(op)}"
    return type(error)(op.node_def, op, message)


def translate(error: BaseException, node: Node, inputs: list[Any]) -> BaseException | None:
    """What `run` raises for `error` of `node`; None for what is not an error of the node (Ctrl-C)."""
    if isinstance(error, errors.OpError):
        return located(error, error.op or node.origin)
    if isinstance(error, MemoryError):
        return located(_out_of_memory(node), node.origin)
    if not isinstance(error, Exception):
        return None
    if node.opdef.elementwise and isinstance(error, ValueError) and len(inputs) == 2:
        message = f"Incompatible shapes: {_shape(inputs[0])} vs. {_shape(inputs[1])}"
        return located(errors.InvalidArgumentError(None, None, message), node.origin)
    message = f"{type(error).__name__}: {error}"
    return located(errors.InternalError(None, None, message), node.origin)


def _shape(value: Any) -> str:
    return text(np.shape(value))


def _out_of_memory(node: Node) -> errors.OpError:
    outputs = node.origin.outputs
    dims = outputs[0]._dims if outputs else ()
    kind = outputs[0].dtype.name if outputs else "unknown"
    names = {"float32": "float", "float64": "double", "float16": "half"}
    return errors.ResourceExhaustedError(
        None,
        None,
        f"OOM when allocating tensor with shape{text(dims)} and type {names.get(kind, kind)} on "
        "/job:localhost/replica:0/task:0/device:CPU:0 by allocator cpu",
    )


def failing_line(
    traceback: TracebackType | None, filename: str
) -> tuple[int, dict[str, Any]] | None:
    """The line of the plan's function in a traceback, and that frame's variables."""
    while traceback is not None:
        if traceback.tb_frame.f_code.co_filename == filename:
            return traceback.tb_lineno, traceback.tb_frame.f_locals
        traceback = traceback.tb_next
    return None
