"""Converters of TensorArrays and stacks: one stands for those of all iterations, with stacked elements.

Those of outside are read by all iterations; each may write elements of its own to a TensorArray.
"""

from __future__ import annotations

from typing import Any

from tfmini._src.functions.parallel_for.conversion import Value, tiled
from tfmini._src.functions.parallel_for.converters import converter, flattened, unflattened
from tfmini._src.graph.operation import Operation
from tfmini._src.ops import ops, raw

_PASS_ON = ("Enter", "Identity")


def maker(op: Operation) -> Operation:
    """The op that made the TensorArray or stack that an op has as its first input."""
    made: Operation = op.inputs[0].op
    while made.type in _PASS_ON:
        made = made.inputs[0].op
    return made


def _is_inside(given: Any) -> bool:
    return maker(given.op) in given.conversion.made_inside


def _of_rows(given: Any, element: Any) -> Any:
    """An element of those iterations that are converted; it is of all."""
    rows = given.conversion.rows
    return element if rows is None else ops.gather(element, rows)


def _of_all(given: Any, element: Any) -> Any:
    """An element of all iterations; zeros in the inactive ones."""
    rows = given.conversion.rows
    if rows is None:
        return element
    shape = ops.concat([given.conversion.whole_length, ops.shape(element)[1:]], 0)
    return ops.scatter_nd(ops.expand_dims(rows, 1), element, shape)


def _flow(given: Any, number: int) -> Any:
    """A flow, which is one for all iterations."""
    value = given.values[number]
    return ops.gather(value.tensor, 0) if value.is_stacked else value.tensor


def _varying_flow(given: Any, flow: Any) -> Value:
    """The flow of a TensorArray whose elements differ between iterations."""
    return Value(tiled(flow, given.length), True)


def _with_first_two_swapped(tensor: Any) -> Any:
    rest = ops.range(2, ops.rank(tensor))
    return ops.transpose(tensor, ops.concat([[1, 0], rest], 0))


@converter("TensorArrayV3")
def _tensor_array(given: Any) -> Any:
    # Elements may turn out to be stacked: their shape is left open.
    return [Value(t, False) for t in given.make(given.same(0), element_shape=None)]


@converter("TensorArraySizeV3")
def _size(given: Any) -> Any:
    return Value(raw.TensorArraySizeV3(given.same(0), _flow(given, 1)), False)


@converter("TensorArrayReadV3")
def _read(given: Any) -> Any:
    handle, index, flow = given.same(0), given.values[1], _flow(given, 2)
    dtype = given.op.attrs["dtype"]
    varies = _is_inside(given) and given.is_stacked(2)
    if not index.is_stacked:
        made = raw.TensorArrayReadV3(handle, index.tensor, flow, dtype=dtype)
        return Value(_of_rows(given, made) if varies else made, varies)
    _check_either(given, varies)
    return raw.TensorArrayGatherV3(handle, index.tensor, flow, dtype=dtype)


@converter("TensorArrayGatherV3")
def _gather(given: Any) -> Any:
    handle, indices, flow = given.same(0), given.values[1], _flow(given, 2)
    varies = _is_inside(given) and given.is_stacked(2)
    flat = ops.reshape(indices.tensor, [-1])
    made = raw.TensorArrayGatherV3(handle, flat, flow, dtype=given.op.attrs["dtype"])
    if indices.is_stacked:
        _check_either(given, varies)
        return unflattened(made, given.length)
    return _of_rows(given, _with_first_two_swapped(made)) if varies else Value(made, False)


def _check_either(given: Any, varies: bool) -> None:
    """Raises ValueError if elements that differ between iterations are asked for at places that differ, too."""
    if varies:
        raise ValueError(
            f"It looks like {given.op.type} was called on a TensorArray whose values are not loop-invariant, and the "
            "indices were also not loop invariant. This is currently unsupported."
        )


@converter("TensorArrayWriteV3")
def _write(given: Any) -> Any:
    handle, index, flow = given.same(0), given.values[1].tensor, _flow(given, 3)
    if not _writes_inside(given):
        flow = raw.TensorArrayScatterV3(handle, index, given.stacked(2), flow)
    elif not given.is_stacked(2) and not given.is_stacked(3):
        return Value(raw.TensorArrayWriteV3(handle, index, given.same(2), flow), False)
    else:
        flow = raw.TensorArrayWriteV3(handle, index, _of_all(given, given.stacked(2)), flow)
    return _varying_flow(given, flow)


@converter("TensorArrayScatterV3")
def _scatter(given: Any) -> Any:
    handle, flow = given.same(0), _flow(given, 3)
    indices = ops.reshape(given.values[1].tensor, [-1])
    if not _writes_inside(given):
        flow = raw.TensorArrayScatterV3(handle, indices, flattened(given.stacked(2)), flow)
    elif not given.is_stacked(2) and not given.is_stacked(3):
        return Value(raw.TensorArrayScatterV3(handle, indices, given.same(2), flow), False)
    else:
        elements = _with_first_two_swapped(_of_all(given, given.stacked(2)))
        flow = raw.TensorArrayScatterV3(handle, indices, elements, flow)
    return _varying_flow(given, flow)


def _writes_inside(given: Any) -> bool:
    """Whether a TensorArray of the body is written to."""
    is_inside = _is_inside(given)
    if is_inside == given.is_stacked(1):
        asked = "loop invariant" if is_inside else "not loop invariant"
        raise ValueError(f"Need indices for {given.same(0)} to be {asked}")
    return is_inside


@converter("TensorArrayGradV3")
def _grad(given: Any) -> Any:
    # Gradients in the body are taken to differ between iterations.
    handle, flow = raw.TensorArrayGradWithShape(
        given.same(0), _flow(given, 1), given.length, source=given.op.attrs["source"]
    )
    return [Value(handle, False), _varying_flow(given, flow)]


@converter("StackV2")
def _stack(given: Any) -> Any:
    return [Value(t, False) for t in given.make(given.same(0))]


@converter("StackPushV2")
def _push(given: Any) -> Any:
    if not _is_inside(given):
        raise ValueError("StackPushV2 not allowed on stacks created outside pfor")
    varies = given.conversion.varies.setdefault(maker(given.op), given.is_stacked(1))
    if given.is_stacked(1) and not varies:
        raise ValueError(
            "It looks like the stack was previously determined to be loop invariant, but we are now trying to push a "
            "loop dependent value to it. This is currently unsupported."
        )
    element = given.stacked(1) if varies else given.same(1)
    return Value(given.make(given.same(0), element)[0], varies)


@converter("StackPopV2")
def _pop(given: Any) -> Any:
    varies, element = (
        given.conversion.varies.get(maker(given.op), False),
        given.make(given.same(0))[0],
    )
    return Value(_of_rows(given, element) if varies else element, varies)
