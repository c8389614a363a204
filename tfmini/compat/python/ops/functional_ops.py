"""`tensorflow.python.ops.functional_ops`: conditionals, loops and calls as single ops that call Defun functions."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from tfmini._src.base import dtypes, proto
from tfmini._src.functions.defun import Defun
from tfmini._src.functions.while_node import add_captured_arguments, while_node
from tfmini._src.graph.convert_to_tensor import internal_convert_to_tensor
from tfmini._src.graph.default_graph import get_default_graph
from tfmini._src.graph.operation import Operation
from tfmini._src.graph.tensor import Tensor
from tfmini._src.ops import ops, raw

__all__ = ["For", "Gradient", "If", "While", "partitioned_call"]


def If(
    cond: Any, inputs: Sequence[Any], then_branch: Any, else_branch: Any, name: str | None = None
) -> Any:
    """Returns `then_branch(*inputs)` if the condition is true, else `else_branch(*inputs)`.

    Args:
      cond: a scalar; a number is true unless it is 0, a string unless it is empty.
      inputs: a list of tensors.
      then_branch: a Defun.
      else_branch: a Defun with results of the same types.

    Returns:
      The list of results.
    """
    types = _types(then_branch.definition.signature.output_arg)
    return raw.If(
        cond, inputs, Tout=types, then_branch=then_branch, else_branch=else_branch, name=name
    )


def Gradient(inputs: Sequence[Any], f: Any, name: str | None = None) -> Any:
    """Returns the gradients of a function; `inputs` are its arguments followed by one gradient per result."""
    types = _types(f.definition.signature.input_arg)
    return raw.SymbolicGradient(inputs, Tout=types, f=f, name=name)


def While(
    input_: Sequence[Any],
    cond: Any,
    body: Any,
    name: str | None = None,
    hostmem: Sequence[int] | None = None,
) -> Any:
    """Repeatedly applies `body` to the values while `cond` of the values is true.

    Args:
      input_: a list of tensors, the initial values.
      cond: a Defun of all values, without captures.
      body: a Defun with the same argument types that returns the next values.
      hostmem: indices of values in host memory.

    Raises:
      ValueError: if `cond` captures tensors, or the argument types differ.
    """
    return while_node(list(input_), cond, body, hostmem or (), name)


def For(
    start: Any,
    limit: Any,
    delta: Any,
    inputs: Sequence[Any],
    body: Any,
    name: str | None = None,
    hostmem: Sequence[int] | None = None,
    rewrite_with_while: bool | None = None,
) -> Any:
    """Applies `body(i, *values)` for each i of range(start, limit, delta).

    Args:
      start, limit, delta: int32 scalars.
      inputs: a list of tensors, the initial values.
      body: a Defun of an int32 and the values that returns the next values.
      hostmem: indices of values in host memory.
      rewrite_with_while: whether to build the loop as a While.

    Returns:
      The list of values after the last step.
    """
    if rewrite_with_while:
        return _for_as_while(start, limit, delta, inputs, body, name, hostmem)
    captured = list(body.captured_inputs)
    if not captured:
        return _kept_on_host(raw.For(start, limit, delta, inputs, body=body, name=name), hostmem, 3)
    function = add_captured_arguments(body)
    values = raw.For(start, limit, delta, [*inputs, *captured], body=function, name=name)
    return _kept_on_host(values[: -len(captured)], hostmem, 3)


def _for_as_while(
    start: Any, limit: Any, delta: Any, inputs: Sequence[Any], body: Any, name: Any, hostmem: Any
) -> list[Tensor]:
    """Builds a for loop as a while loop over the step index; a negative `delta` counts down."""
    step = ops.abs(delta)
    steps = ops.cast(
        ops.cast(ops.abs(limit - start) + step - 1, dtypes.float32)
        / ops.cast(step, dtypes.float32),
        dtypes.int32,
    )
    types = [dtypes.int32] * 4 + list(body.declared_input_types)[1:]

    @Defun(*types, func_name=f"{body.name}_Cond")
    def goes_on(index: Any, steps: Any, *values: Any) -> Any:
        return index < steps

    @Defun(*types, func_name=f"{body.name}_Body")
    def next_values(index: Any, steps: Any, start: Any, delta: Any, *values: Any) -> Any:
        return (index + 1, steps, start, delta, *_results(body(start + index * delta, *values)))

    on_host = [0, 1, 2, 3, *(4 + index for index in hostmem or ())]
    values = While([0, steps, start, delta, *inputs], goes_on, next_values, name, on_host)
    return list(values[4:])


def _results(result: Any) -> tuple[Any, ...]:
    """Returns the results of a call; an Operation represents no results."""
    if isinstance(result, Operation):
        return ()
    return tuple(result) if isinstance(result, list | tuple) else (result,)


def _kept_on_host(values: Any, hostmem: Sequence[int] | None, first: int) -> Any:
    if hostmem:
        node = values[0].op
        for attr, offset in (("_input_hostmem", first), ("_output_hostmem", 0)):
            attr_value = proto.AttrValue()
            attr_value.list.i.extend(offset + index for index in hostmem)
            node._set_attr(attr, attr_value)
    return values


def _types(args: Any) -> list[dtypes.DType]:
    return [dtypes.as_dtype(arg.type) for arg in args]


def partitioned_call(
    args: Sequence[Any],
    f: Any,
    tout: Sequence[Any] | None = None,
    executing_eagerly: bool | None = None,
    config: Any = None,
    executor_type: str | None = None,
) -> Any:
    """Calls `f(*args)` as one node.

    Args:
      args: a list of tensors.
      f: a Defun.
      tout: the types of its results, by default the function's types.
      executing_eagerly: must be false, since the node is added to a graph.
      config: a serialized ConfigProto for the function; by default its body is not optimized, and all effects are kept.
      executor_type: the name of an executor.

    Returns:
      The list of results, or the Operation for a function without results.
    """
    types = _types(f.definition.signature.output_arg) if tout is None else list(tout)
    call = raw.StatefulPartitionedCall if f.stateful_ops else raw.PartitionedCall
    tensors = [internal_convert_to_tensor(value) for value in args]
    f.add_to_graph(get_default_graph())
    if config is None:
        config = proto.ConfigProto()
        config.graph_options.rewrite_options.disable_meta_optimizer = True
        config = config.SerializeToString()
    settings: Any = {"config_proto": config, "executor_type": executor_type or ""}
    return call(tensors, Tout=types, f=f, **settings)
