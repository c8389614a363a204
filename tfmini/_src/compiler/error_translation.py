"""Translates exceptions inside a plan to tf.errors classes that name the node and the user's line."""

from __future__ import annotations

from collections.abc import Callable
from types import SimpleNamespace, TracebackType
from typing import TYPE_CHECKING, Any

import numpy as np

from tfmini._src.base import dtypes, errors
from tfmini._src.base.dtypes import DType
from tfmini._src.compiler.program.program import Node
from tfmini._src.devices.arrays import Array
from tfmini._src.devices.device import Devices
from tfmini._src.devices.registry import device_kind
from tfmini._src.formats.system_errors import system_error
from tfmini._src.graph import op_registry, stack_traces
from tfmini._src.graph.attributes import Literal
from tfmini._src.graph.operation import Operation
from tfmini._src.graph.shape_inference import Dims, InferenceError, text

if TYPE_CHECKING:
    from numpy.typing import ArrayLike

# Prefixes of NumPy's messages for sizes that overflow its integers.
_OVERFLOW_MESSAGES = (
    "array is too big;",
    "Maximum allowed dimension exceeded",
    "iterator is too large",
)

# NumPy's exceptions for mismatched shapes or elements, also raised by kernels.
_VALUE_ERRORS = (ValueError, IndexError, OverflowError)
_OTHER_ERRORS = (UnicodeError, np.linalg.LinAlgError)


def defined_at(op: Operation) -> str:
    """Returns ` (defined at FILE:LINE)` for the user's line that created the node; "" if unknown."""
    return definition_suffix(op._frames)


def definition_suffix(stack: stack_traces.Frames) -> str:
    """Returns ` (defined at FILE:LINE)` for the user's line in a stack; "" if unknown."""
    location = stack_traces.user_location(stack)
    return "" if location is None else f" (defined at {location.filename}:{location.lineno})"


def describe_node(op: Operation) -> str:
    """Returns `node NAME (defined at FILE:LINE) `, with TensorFlow's trailing space."""
    return f"node {op._shown_name or op.name}{defined_at(op)} "


def where(op: Operation) -> str:
    """Returns `[[node NAME (defined at FILE:LINE) ]]`."""
    return f"[[{describe_node(op)}]]"


def locate_error(error: errors.OpError, op: Operation, suffix: str = "") -> errors.OpError:
    """Returns the error raised to the caller of `run`: the message, the node with the user's line, then `suffix`.

    Expands `{{node}}` in the message to the node with its line, and `{{name}}` to the node name.
    """
    message = error.message.replace("{{node}}", describe_node(op)).replace("{{name}}", op.name)
    message = f"{message}\n\t {where(op)}"
    for link in reversed(op._chain):
        message += f"\n\t [[{link.name}{definition_suffix(link.frames)} ]]"
    if suffix:
        message += f"\n{suffix}\n"
    reported = op._stands_for if op._chain or op._stands_for is not None else op
    if type(error) is errors.OpError:
        return errors.OpError(None, reported, message, error.error_code)
    error_class: Callable[..., errors.OpError] = type(error)
    return error_class(None, reported, message)


def _unset_variable_error(error: errors.FailedPreconditionError, retval: str) -> errors.OpError:
    """Returns the error for fetching an uninitialized variable directly."""
    message = f"{error.message}\n\t [[{{{{node {retval}}}}}]]"
    return errors.FailedPreconditionError(None, None, message)


def translate(
    error: BaseException,
    node: Node,
    inputs: list[Any],
    devices: Devices,
    usage: Callable[[], str],
    retval: str | None = None,
) -> BaseException | None:
    """Returns the error that `run` raises for `error` in `node`; None if it is not a node error (Ctrl-C).

    `devices` recognize their own errors. `usage()` returns the allocation report appended to an
    out-of-memory message. `retval` names TensorFlow's fetch node for the value, which is not in the graph.
    """
    if retval is not None and isinstance(error, errors.FailedPreconditionError):
        return _unset_variable_error(error, retval)
    if isinstance(error, errors.OpError):
        # The node's own plan locates errors.
        own_plan = node.opdef.name in ("_CallLater", "_PureCallLater")
        if own_plan and "\n\t [[" in error.message:
            return error
        return locate_error(error, error.op or node.origin)
    if _is_out_of_memory(error, devices):
        return locate_error(_out_of_memory(node, inputs), node.origin, usage())
    if not isinstance(error, Exception):
        return None
    if isinstance(error, OSError):
        translated = system_error(error, str(error.filename or node.origin.type))
        if isinstance(translated, errors.ResourceExhaustedError):
            return locate_error(translated, node.origin)
    if any(device.is_lost(error) for device in devices.values()):
        message = f"{node.device} is lost: {error}. This process cannot use it any more."
        return locate_error(errors.UnavailableError(None, None, message), node.origin)
    if node.opdef.elementwise and isinstance(error, ValueError) and len(inputs) == 2:
        message = f"Incompatible shapes: {_shape_text(inputs[0])} vs. {_shape_text(inputs[1])}"
        return locate_error(errors.InvalidArgumentError(None, None, message), node.origin)
    if isinstance(error, _VALUE_ERRORS) and not isinstance(error, _OTHER_ERRORS) and node.inputs:
        translated = _view_error(node, inputs) or _rejection_error(node, inputs, error)
        return locate_error(translated, node.origin)
    message = f"{type(error).__name__}: {error}"
    return locate_error(errors.InternalError(None, None, message), node.origin)


def _view_error(node: Node, inputs: list[Any]) -> errors.OpError | None:
    """Returns the kernel's error for a view that the plan computes without calling the kernel; None for other nodes."""
    forwarding = node.opdef.forwarding
    if forwarding is None or not forwarding.view or node.opdef.takes_context:
        return None
    if device_kind(node.device).has_memory:
        return None
    try:
        node.opdef.kernel(np, *inputs, **{n: node.attrs[n] for n in node.opdef.kernel_attrs})
    except errors.OpError as translated:
        return translated
    except _VALUE_ERRORS:
        pass  # not an error in TensorFlow either
    return None


def _rejection_error(node: Node, inputs: list[Any], error: Exception) -> errors.OpError:
    """Returns the error for input shapes or values that a kernel rejects without an explicit check."""
    origin = node.origin
    names = [arg.name for arg in origin.opdef.inputs for _ in range(arg.count(origin.attrs))]
    dtype_names = [tensor.dtype.base_dtype.proto_name for tensor in origin.inputs]
    descriptions = ", ".join(
        f"{n}: {dtype_name}{_shape_text(v)}" for n, dtype_name, v in zip(names, dtype_names, inputs)
    )
    message = f"{origin.type} cannot compute with inputs of these shapes or elements: {descriptions} ({error})"
    return errors.InvalidArgumentError(None, None, message)


def _is_out_of_memory(error: BaseException, devices: Devices) -> bool:
    if isinstance(error, MemoryError) or _is_beyond_memory(error):
        return True
    return any(device.is_out_of_memory(error) for device in devices.values())


def _is_beyond_memory(error: BaseException) -> bool:
    """Whether numpy rejected an array whose size exceeds the address space."""
    return isinstance(error, ValueError) and str(error).startswith(_OVERFLOW_MESSAGES)


def _shape_text(value: ArrayLike) -> str:
    return text(np.shape(value))


class _KnownInput:
    """A shape-rule input with a known value, or a known shape if it is on a device."""

    def __init__(self, value: Array, dtype: DType):
        self.dtype = self._dtype = dtype
        self._dims = np.shape(value)
        on_host = isinstance(value, np.ndarray | np.generic | bytes)
        op_type = "Const" if on_host else "Placeholder"
        attrs = {"value": Literal(np.asarray(value), dtype)} if on_host else {"shape": self._dims}
        self.op = SimpleNamespace(
            opdef=op_registry.opdef(op_type),
            type=op_type,
            inputs=(),
            attrs={**attrs, "dtype": dtype},
        )


def _forwarded_array(node: Node, inputs: list[Any]) -> Any:
    """Returns the array forwarded by a constant, copy, send or receive; None for other nodes."""
    if node.kind == "const":
        return node.constant
    return inputs[0] if node.kind in ("copy", "send", "receive") else None


def _actual_dims(node: Node, inputs: list[Any]) -> Dims:
    """Returns the first output's shape for these inputs."""
    origin = node.origin
    static = origin.outputs[0]._dims if origin.outputs else ()
    if node.opdef.shape_rule is None or any(value is None for value in inputs):
        return static
    known_inputs = [
        _KnownInput(value, tensor.dtype) for value, tensor in zip(inputs, origin.inputs)
    ]
    stand_in: Any = SimpleNamespace(
        inputs=known_inputs,
        attrs=node.attrs,
        name=origin.name,
        type=origin.type,
        outputs=origin.outputs,
    )
    try:
        shapes = node.opdef.shape_rule(stand_in)
    except (InferenceError, AttributeError):
        return static
    return shapes[0] if isinstance(shapes, list) else shapes


def _out_of_memory(node: Node, inputs: list[Any]) -> errors.OpError:
    outputs = node.origin.outputs
    forwarded_array = _forwarded_array(node, inputs)
    if forwarded_array is not None:
        dims, type_name = (
            np.shape(forwarded_array),
            dtypes.as_dtype(forwarded_array.dtype).proto_name,
        )
    else:
        dims = _actual_dims(node, inputs)
        type_name = outputs[0].dtype.base_dtype.proto_name if outputs else "unknown"
    device = node.device or "/job:localhost/replica:0/task:0/device:CPU:0"
    return errors.ResourceExhaustedError(
        None,
        None,
        f"OOM when allocating tensor with shape{text(dims)} and type {type_name} on "
        f"{device} by allocator {device_kind(device).allocator(device)}",
    )


def out_of_memory_fetching() -> errors.OpError:
    """Returns the error for running out of memory while copying a fetched tensor."""
    return errors.ResourceExhaustedError(None, None, "OOM when copying a fetched tensor")


def failing_lines(
    traceback: TracebackType | None, filename: str
) -> list[tuple[int, dict[str, Any]]]:
    """Returns (line, local variables) of each plan function in a traceback, outermost first."""
    lines = []
    while traceback is not None:
        if traceback.tb_frame.f_code.co_filename == filename:
            lines.append((traceback.tb_lineno, dict(traceback.tb_frame.f_locals)))
        traceback = traceback.tb_next
    return lines


def failing_line(
    traceback: TracebackType | None, filename: str, calls: frozenset[int] = frozenset()
) -> tuple[int, dict[str, Any]] | None:
    """Returns the failing line of the plan in a traceback, and that frame's local variables.

    Lines in `calls`, which call other functions of the plan, are skipped in favor of the callee's line.
    """
    lines = failing_lines(traceback, filename)
    return next((line for line in lines if line[0] not in calls), lines[-1] if lines else None)


def release_frames(traceback: TracebackType | None) -> None:
    """Clears the local variables of a traceback's completed frames."""
    while traceback is not None:
        try:
            traceback.tb_frame.clear()
        except RuntimeError:  # the generator is still running
            pass
        else:
            traceback.tb_frame.f_locals  # noqa: B018  Python up to 3.12 keeps the last value
        traceback = traceback.tb_next
