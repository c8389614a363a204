"""Converters of TensorArrays and stacks: a single array with stacked elements serves all iterations.

All iterations may read outer TensorArrays; each may write its own elements.
"""

from __future__ import annotations

from typing import Any

from tfmini._src.functions.parallel_for.conversion import Value, tile
from tfmini._src.functions.parallel_for.converters import converter, flatten, unflatten
from tfmini._src.graph.operation import Operation
from tfmini._src.ops import ops, raw

_PASS_THROUGH_OPS = ("Enter", "Identity")


def producer(op: Operation) -> Operation:
    """Returns the op that created the TensorArray or stack in an op's first input."""
    result: Operation = op.inputs[0].op
    while result.type in _PASS_THROUGH_OPS:
        result = result.inputs[0].op
    return result


def _is_inside(op: Any) -> bool:
    return producer(op.op) in op.conversion.body_ops


def _active_elements(op: Any, element: Any) -> Any:
    """Selects the converted iterations' rows of an element."""
    rows = op.conversion.rows
    return element if rows is None else ops.gather(element, rows)


def _all_elements(op: Any, element: Any) -> Any:
    """Scatters an element to all iterations, with zeros for inactive ones."""
    rows = op.conversion.rows
    if rows is None:
        return element
    shape = ops.concat([op.conversion.full_length, ops.shape(element)[1:]], 0)
    return ops.scatter_nd(ops.expand_dims(rows, 1), element, shape)


def _flow(op: Any, index: int) -> Any:
    """Returns a flow, shared by all iterations."""
    value = op.values[index]
    return ops.gather(value.tensor, 0) if value.is_stacked else value.tensor


def _varying_flow(op: Any, flow: Any) -> Value:
    """Returns the flow of a TensorArray whose elements differ between iterations."""
    return Value(tile(flow, op.length), True)


def _with_first_two_swapped(tensor: Any) -> Any:
    trailing = ops.range(2, ops.rank(tensor))
    return ops.transpose(tensor, ops.concat([[1, 0], trailing], 0))


@converter("TensorArrayV3")
def _tensor_array(op: Any) -> Any:
    # Elements may be stacked later, so their shape is left unknown.
    return [Value(t, False) for t in op.copy_with(op.invariant_input(0), element_shape=None)]


@converter("TensorArraySizeV3")
def _convert_size(op: Any) -> Any:
    return Value(raw.TensorArraySizeV3(op.invariant_input(0), _flow(op, 1)), False)


@converter("TensorArrayReadV3")
def _convert_read(op: Any) -> Any:
    handle, index, flow = op.invariant_input(0), op.values[1], _flow(op, 2)
    dtype = op.op.attrs["dtype"]
    varies = _is_inside(op) and op.is_stacked(2)
    if not index.is_stacked:
        result = raw.TensorArrayReadV3(handle, index.tensor, flow, dtype=dtype)
        return Value(_active_elements(op, result) if varies else result, varies)
    _check_either(op, varies)
    return raw.TensorArrayGatherV3(handle, index.tensor, flow, dtype=dtype)


@converter("TensorArrayGatherV3")
def _convert_gather(op: Any) -> Any:
    handle, indices, flow = op.invariant_input(0), op.values[1], _flow(op, 2)
    varies = _is_inside(op) and op.is_stacked(2)
    flat = ops.reshape(indices.tensor, [-1])
    result = raw.TensorArrayGatherV3(handle, flat, flow, dtype=op.op.attrs["dtype"])
    if indices.is_stacked:
        _check_either(op, varies)
        return unflatten(result, op.length)
    return _active_elements(op, _with_first_two_swapped(result)) if varies else Value(result, False)


def _check_either(op: Any, varies: bool) -> None:
    """Raises ValueError if elements that differ between iterations are read at indices that also differ."""
    if varies:
        raise ValueError(
            f"It looks like {op.op.type} was called on a TensorArray whose values are not loop-invariant, and the "
            "indices were also not loop invariant. This is currently unsupported."
        )


@converter("TensorArrayWriteV3")
def _convert_write(op: Any) -> Any:
    handle, index, flow = op.invariant_input(0), op.values[1].tensor, _flow(op, 3)
    if not _writes_inside(op):
        flow = raw.TensorArrayScatterV3(handle, index, op.stacked_input(2), flow)
    elif not op.is_stacked(2) and not op.is_stacked(3):
        return Value(raw.TensorArrayWriteV3(handle, index, op.invariant_input(2), flow), False)
    else:
        flow = raw.TensorArrayWriteV3(handle, index, _all_elements(op, op.stacked_input(2)), flow)
    return _varying_flow(op, flow)


@converter("TensorArrayScatterV3")
def _scatter(op: Any) -> Any:
    handle, flow = op.invariant_input(0), _flow(op, 3)
    indices = ops.reshape(op.values[1].tensor, [-1])
    if not _writes_inside(op):
        flow = raw.TensorArrayScatterV3(handle, indices, flatten(op.stacked_input(2)), flow)
    elif not op.is_stacked(2) and not op.is_stacked(3):
        return Value(raw.TensorArrayScatterV3(handle, indices, op.invariant_input(2), flow), False)
    else:
        elements = _with_first_two_swapped(_all_elements(op, op.stacked_input(2)))
        flow = raw.TensorArrayScatterV3(handle, indices, elements, flow)
    return _varying_flow(op, flow)


def _writes_inside(op: Any) -> bool:
    """Whether the body writes to a TensorArray."""
    is_inside = _is_inside(op)
    if is_inside == op.is_stacked(1):
        expected = "loop invariant" if is_inside else "not loop invariant"
        raise ValueError(f"Need indices for {op.invariant_input(0)} to be {expected}")
    return is_inside


@converter("TensorArrayGradV3")
def _grad(op: Any) -> Any:
    # Gradients in the body may differ between iterations.
    handle, flow = raw.TensorArrayGradWithShape(
        op.invariant_input(0), _flow(op, 1), op.length, source=op.op.attrs["source"]
    )
    return [Value(handle, False), _varying_flow(op, flow)]


@converter("StackV2")
def _copy_handle_node(op: Any) -> Any:
    return [Value(t, False) for t in op.copy_with(op.invariant_input(0))]


@converter("StackPushV2")
def _push(op: Any) -> Any:
    if not _is_inside(op):
        raise ValueError("StackPushV2 not allowed on stacks created outside pfor")
    varies = op.conversion.stack_varies.setdefault(producer(op.op), op.is_stacked(1))
    if op.is_stacked(1) and not varies:
        raise ValueError(
            "It looks like the stack was previously determined to be loop invariant, but we are now trying to push a "
            "loop dependent value to it. This is currently unsupported."
        )
    element = op.stacked_input(1) if varies else op.invariant_input(1)
    return Value(op.copy_with(op.invariant_input(0), element)[0], varies)


@converter("StackPopV2")
def _pop(op: Any) -> Any:
    varies, element = (
        op.conversion.stack_varies.get(producer(op.op), False),
        op.copy_with(op.invariant_input(0))[0],
    )
    return Value(_active_elements(op, element) if varies else element, varies)
