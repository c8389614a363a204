"""Initial values that depend on other variables, whose value is used if initialized, else their initial value.

`w = tf.Variable(v * 2.0)` must work regardless of initialization order. The part of the
graph from `v` to the initial value is therefore rebuilt on `v.initialized_value()`.
"""

from __future__ import annotations

from typing import Any

from tfmini._src.graph import op_registry
from tfmini._src.graph.graph_keys import GraphKeys
from tfmini._src.graph.tensor import Tensor

# Ops that read a variable deliberately, or cannot be copied.
_UNCOPIED_OPS = frozenset(("IsVariableInitialized", "VarIsInitializedOp", "ReadVariableOp", "If"))


def guard(name: str, initial_value: Any) -> Tensor:
    """Returns the `initial_value` of the variable in scope `name`, rebuilt if it depends on other variables."""
    if not isinstance(initial_value, Tensor):
        raise TypeError(f"initial_value needs to be a Tensor: {initial_value}")
    if not _depends_on_variable(initial_value.op) or _has_cycle(initial_value.op):
        return initial_value
    rebuilt: dict[Any, Any] = {}
    stack = [initial_value.op]
    while stack:
        op = stack[-1]
        if op in rebuilt:
            stack.pop()
            continue
        sources = () if op.type in _UNCOPIED_OPS or op.opdef.makes_variable else op.inputs
        missing = next((t.op for t in sources if t.op not in rebuilt), None)
        if missing is not None:
            stack.append(missing)
            continue
        rebuilt[op] = _rebuild(name, op, rebuilt)
        stack.pop()
    return rebuilt[initial_value.op].outputs[initial_value.value_index]


def _rebuild(name: str, op: Any, rebuilt: dict[Any, Any]) -> Any:
    """Returns the replacement for `op`, or `op` itself if none of its inputs changed."""
    if op.type in _UNCOPIED_OPS:
        return op
    if op.opdef.makes_variable:
        variable = _find_variable(op)
        return op if variable is None else variable.initialized_value().op
    inputs = tuple(rebuilt[t.op].outputs[t.value_index] for t in op.inputs)
    if all(new is old for new, old in zip(inputs, op.inputs)):
        return op
    opdef = op_registry.opdef("Switch") if op.type == "RefSwitch" else op.opdef
    new_name = f"{op.name}_{name}".replace(":", "_")
    graph = op.graph
    new_name = new_name[:-1] if new_name.endswith("/") else graph.unique_name(new_name)
    return graph.add_node(opdef, new_name, inputs, None, dict(op.attrs))


def _find_variable(op: Any) -> Any:
    """Returns the variable of the node `op` in the collections; None if they lack it."""
    names = (op.name, f"{op.name}:0")
    for key in (GraphKeys.GLOBAL_VARIABLES, GraphKeys.LOCAL_VARIABLES):
        for variable in op.graph.get_collection(key):
            if getattr(variable, "name", None) in names:
                return variable
    return None


def _depends_on_variable(op: Any) -> bool:
    """Whether the data inputs of `op` lead to a variable; otherwise, nothing needs to be rebuilt."""
    visited = {op}
    stack = [op]
    while stack:
        op = stack.pop()
        if op.opdef.makes_variable:
            return True
        for tensor in op._inputs:
            if tensor.op not in visited:
                visited.add(tensor.op)
                stack.append(tensor.op)
    return False


def _has_cycle(op: Any) -> bool:
    """Whether the dependencies of `op` contain a loop."""
    finished: set[Any] = set()
    open_ops: set[Any] = {op}
    stack = [(op, _source_operations(op))]
    while stack:
        current, sources = stack[-1]
        for source in sources:
            if source in open_ops:
                return True
            if source not in finished:
                open_ops.add(source)
                stack.append((source, _source_operations(source)))
                break
        else:
            stack.pop()
            open_ops.discard(current)
            finished.add(current)
    return False


def _source_operations(op: Any) -> Any:
    return iter([*(t.op for t in op.inputs), *op.control_inputs])
