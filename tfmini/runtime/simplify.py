"""simplify: fold constants, drop Identity, share equal nodes.

Only stateless nodes are touched. A dropped node's control inputs move to those who waited for it.
"""

from __future__ import annotations

import math
from typing import Any

import numpy as np

from tfmini.runtime.program import Guard, Node, Program

# Larger results are computed at each run rather than kept (bytes).
_MAX_CONSTANT = 10_000_000

_PASS_THROUGH = frozenset({"Identity", "StopGradient", "PreventGradient", "Snapshot"})
_SWITCHES = frozenset({"Switch", "RefSwitch"})
_MERGES = frozenset({"Merge", "RefMerge"})


def simplify(program: Program) -> Program:
    """Returns the program with constants folded, pass-through nodes dropped and equal nodes shared."""
    alias: dict[int, int] = {}
    constants: dict[int, Any] = {}
    equal: dict[tuple, Node] = {}
    gone: dict[int, tuple[Node, ...]] = {}  # id of a dropped node -> the nodes to wait for instead
    kept: list[Node] = []
    for node in program.nodes:
        node.inputs = tuple(alias.get(s, s) for s in node.inputs)
        node.guard = _renamed(node.guard, alias)
        if _holds_guards(node):
            node.value = [g if g is None else _renamed(g, alias) for g in node.value]
        if node.controls:
            node.controls = _controls(node, gone)
        if node.kind != "op" or (node.opdef.has_effects and node.opdef.name not in _SWITCHES):
            kept.append(node)
            continue
        name = node.opdef.name
        if name == "NoOp":
            gone[id(node)] = node.controls
            continue
        if name in _PASS_THROUGH:
            source, slot = node.inputs[0], node.outputs[0]
            dtype = program.slots[source].dtype
            if not dtype._is_ref_dtype:
                if node.controls:  # what reads it must still wait for these
                    kept.append(node)
                    continue
                alias[slot] = source
                if source in constants:
                    constants[slot] = constants[source]
                gone[id(node)] = ()
                continue
        if name in _SWITCHES and not node.controls:
            # Guards say who runs; the data itself just passes.
            for slot in node.outputs:
                alias[slot] = node.inputs[0]
            gone[id(node)] = ()
            continue
        if not node.controls and not node.guard:
            value = _constant(node, constants, program)
            if value is not None:
                constants[node.outputs[0]] = value
                node.kind, node.value, node.inputs = "const", value, ()
                kept.append(node)
                continue
        if _shareable(node):
            key = (name, node.inputs, node.guard, node.device, _attr_key(node))
            twin = equal.get(key)
            if twin is not None and not node.controls:
                for mine, other in zip(node.outputs, twin.outputs):
                    alias[mine] = other
                gone[id(node)] = (twin,)
                continue
            equal.setdefault(key, node)
        kept.append(node)
    program.nodes = _used(kept, program, alias, gone)
    program.fetches = tuple(alias.get(s, s) for s in program.fetches)
    return program


def _controls_of(target: Node, gone: dict[int, tuple[Node, ...]]) -> tuple[Node, ...]:
    return _controls(Node("op", target.origin, (), (), (target,)), gone)


def _controls(node: Node, gone: dict[int, tuple[Node, ...]]) -> tuple[Node, ...]:
    """The nodes to wait for, where dropped ones are replaced by what they waited for."""
    result: dict[int, Node] = {}
    pending = list(node.controls)
    while pending:
        control = pending.pop()
        if id(control) in gone:
            pending.extend(gone[id(control)])
        elif control.kind != "const":
            result[id(control)] = control
    return tuple(result.values())


def _constant(node: Node, constants: dict[int, Any], program: Program) -> Any:
    """The node's value, if it follows from constants and static shapes."""
    if len(node.outputs) != 1 or node.opdef.takes_context:
        return None
    name = node.opdef.name
    if name == "Const":
        value = node.attrs["value"].array
    elif name in ("Shape", "Size", "Rank"):
        value = _of_static_shape(
            name, program.slots[node.inputs[0]].dims, program.slots[node.outputs[0]].dtype
        )
    else:
        value = _fold(node, constants) if node.inputs else None
    if value is None or getattr(value, "nbytes", 0) > _MAX_CONSTANT and name != "Const":
        return None
    return value


def _of_static_shape(name: str, dims: tuple | None, dtype: Any) -> Any:
    if dims is None or (name != "Rank" and None in dims):
        return None
    value: Any = dims if name == "Shape" else len(dims) if name == "Rank" else math.prod(dims)
    return np.asarray(value, dtype.as_numpy_dtype)


def _fold(node: Node, constants: dict[int, Any]) -> Any:
    if not all(s in constants for s in node.inputs) or node.opdef.list_outputs:
        return None
    values = [constants[s] for s in node.inputs]
    arguments: list[Any] = []
    start = 0
    for arg in node.opdef.inputs:
        if arg.is_list:
            count = (
                node.attrs[arg.number_attr]
                if arg.number_attr
                else len(node.attrs[arg.type_list_attr])
            )
            arguments.append(tuple(values[start : start + count]))
            start += count
        else:
            arguments.append(values[start])
            start += 1
    attrs = {name: node.attrs[name] for name in node.opdef.kernel_attrs}
    try:
        with np.errstate(all="ignore"):
            return node.opdef.kernel(np, *arguments, **attrs)
    except Exception:  # an error belongs to the run, where it names its node
        return None


def _shareable(node: Node) -> bool:
    return bool(node.inputs) and not node.opdef.takes_context and node.opdef.bind_rule is None


def _attr_key(node: Node) -> tuple:
    return tuple((k, repr(v)) for k, v in sorted(node.attrs.items()) if not k.startswith("_"))


def _holds_guards(node: Node) -> bool:
    """Whether its value is a list of guards, those of the inputs of a Merge."""
    return node.kind == "alive" or (node.kind == "op" and node.opdef.name in _MERGES)


def _renamed(guard: Guard, alias: dict[int, int]) -> Guard:
    return tuple((alias.get(p, p), b) for p, b in guard) if guard else guard


def _used(
    nodes: list[Node], program: Program, alias: dict[int, int], gone: dict[int, tuple[Node, ...]]
) -> list[Node]:
    """Without the stateless nodes whose values nobody reads any more."""
    wanted = {alias.get(s, s) for s in program.fetches}
    wanted.update(p for node in nodes for p, _ in node.guard)
    for node in filter(_holds_guards, nodes):
        wanted.update(p for guard in node.value for p, _ in guard or ())
    waited_for: set[int] = set()
    for target in program.targets:
        waited_for.add(id(target))
        waited_for.update(id(n) for n in _controls_of(target, gone))
    result = []
    for node in reversed(nodes):
        if (
            any(s in wanted for s in node.outputs)
            or id(node) in waited_for
            or (node.kind == "op" and node.opdef.has_effects)
            or node.kind == "alive"
        ):
            wanted.update(node.inputs)
            waited_for.update(id(c) for c in node.controls)
            result.append(node)
    return result[::-1]
