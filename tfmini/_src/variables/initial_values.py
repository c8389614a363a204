"""Initial values that depend on other variables: read where those are initialised, their initial value elsewhere.

`w = tf.Variable(v * 2.0)` must work whichever of the two is initialised first. The part of the
graph between `v` and the initial value is therefore built once more on `v.initialized_value()`.
"""

from __future__ import annotations

from typing import Any

from tfmini._src.graph import element_lookup
from tfmini._src.graph.graph_keys import GraphKeys
from tfmini._src.graph.tensor import Tensor

# What reads a variable on purpose, or cannot be built again.
_KEPT = frozenset(("IsVariableInitialized", "VarIsInitializedOp", "ReadVariableOp", "If"))


def guarded(name: str, initial_value: Any) -> Tensor:
    """`initial_value` for the variable of scope `name`, rebuilt where it depends on other variables."""
    if not isinstance(initial_value, Tensor):
        raise TypeError(f"initial_value needs to be a Tensor: {initial_value}")
    if _has_cycle(initial_value.op):
        return initial_value
    rebuilt: dict[Any, Any] = {}
    stack = [initial_value.op]
    while stack:
        op = stack[-1]
        if op in rebuilt:
            stack.pop()
            continue
        sources = () if op.type in _KEPT or op.opdef.makes_variable else op.inputs
        missing = next((t.op for t in sources if t.op not in rebuilt), None)
        if missing is not None:
            stack.append(missing)
            continue
        rebuilt[op] = _rebuild(name, op, rebuilt)
        stack.pop()
    return rebuilt[initial_value.op].outputs[initial_value.value_index]


def _rebuild(name: str, op: Any, rebuilt: dict[Any, Any]) -> Any:
    """The operation to use in place of `op`, itself where nothing below it changed."""
    if op.type in _KEPT:
        return op
    if op.opdef.makes_variable:
        variable = _variable_of(op)
        return op if variable is None else variable.initialized_value().op
    inputs = tuple(rebuilt[t.op].outputs[t.value_index] for t in op.inputs)
    if all(new is old for new, old in zip(inputs, op.inputs)):
        return op
    opdef = element_lookup.opdef("Switch") if op.type == "RefSwitch" else op.opdef
    new_name = f"{op.name}_{name}".replace(":", "_")
    graph = op.graph
    new_name = new_name[:-1] if new_name.endswith("/") else graph.unique_name(new_name)
    return graph.add_node(opdef, new_name, inputs, None, dict(op.attrs))


def _variable_of(op: Any) -> Any:
    """The variable that `op` holds, looked for in the collections, or None."""
    names = (op.name, f"{op.name}:0")
    for key in (GraphKeys.GLOBAL_VARIABLES, GraphKeys.LOCAL_VARIABLES):
        for variable in op.graph.get_collection(key):
            if getattr(variable, "name", None) in names:
                return variable
    return None


def _has_cycle(op: Any) -> bool:
    """Whether what `op` depends on contains a loop."""
    finished: set[Any] = set()
    open_ops: set[Any] = {op}
    stack = [(op, _sources(op))]
    while stack:
        current, sources = stack[-1]
        for source in sources:
            if source in open_ops:
                return True
            if source not in finished:
                open_ops.add(source)
                stack.append((source, _sources(source)))
                break
        else:
            stack.pop()
            open_ops.discard(current)
            finished.add(current)
    return False


def _sources(op: Any) -> Any:
    return iter([*(t.op for t in op.inputs), *op.control_inputs])
