"""simplify: folds constants, drops nodes that only forward values, shares equal nodes, drops dead ones.

Only nodes without side effects are changed. Nodes with side effects keep their order, so control edges are no
longer needed once `prune` has ordered the nodes: waiting for a node without side effects has no meaning.
"""

from __future__ import annotations

import math
from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

import numpy as np

from tfmini._src.base.shapes import dims_allow
from tfmini._src.compiler.analysis.def_use import Uses
from tfmini._src.compiler.passes.partial_constants import (
    PartialShapes,
    repeats_once,
    target_shape,
)
from tfmini._src.compiler.program.program import Alternatives, Constant, Guard, Node, Program
from tfmini._src.devices.host.denormals import flush, restore

if TYPE_CHECKING:
    from tfmini._src.base.dtypes import DType

# Larger results (in bytes) are computed at each run instead of stored; intermediate results may reach the second
# limit.
_MAX_CONSTANT, _MAX_INTERMEDIATE = 10_000_000, 40_000_000

_PASS_THROUGH = frozenset({"Identity", "StopGradient", "PreventGradient", "Snapshot", "LoopCond"})
_SHAPE_OPS = frozenset({"Shape", "Size", "Rank"})
_SWITCHES = frozenset({"Switch", "RefSwitch"})


_MAX_COMPARED_ELEMENTS = 16


def simplify(program: Program) -> Program:
    """Folds constants, merges equal nodes and drops forwarding and dead nodes; returns the program."""
    alias: dict[int, int] = {}
    constants: dict[int, Any] = {}
    equal: dict[tuple[object, ...], list[Node]] = {}
    small: dict[tuple[object, ...], int] = {}  # constants by value
    reads: set[int] = set()
    nodes: list[Node] = []
    partial = PartialShapes(program)
    needed = {
        slot for node in program.nodes if node.opdef.name not in _SHAPE_OPS for slot in node.inputs
    }
    for node in program.nodes:
        node.inputs = tuple([alias.get(s, s) for s in node.inputs])
        if node.guard:
            node.guard = _rename_guard(node.guard, alias)
        if node.payload is not None and isinstance(node.payload, Alternatives):
            guards = [g if g is None else _rename_guard(g, alias) for g in node.payload.guards]
            node.payload = Alternatives(tuple(guards))
            nodes.append(node)
            continue
        if node.kind != "op" or (node.opdef.has_effects and node.opdef.name not in _SWITCHES):
            nodes.append(node)
            if node.kind == "const":
                constants[node.outputs[0]] = node.constant
            if node.kind == "read" and (node.guard or node.outputs[0] not in needed):
                reads.update(node.outputs)
            continue
        name = node.opdef.name
        if name == "NoOp":
            continue
        if name in _PASS_THROUGH:
            alias[node.outputs[0]] = node.inputs[0]
            continue
        if name == "Mul" and (factor := _factor_besides_one(node, constants, program)) is not None:
            alias[node.outputs[0]] = factor
            continue
        if name in _SWITCHES:  # guards determine which nodes run; the data passes through unchanged
            for slot in node.outputs:
                alias[slot] = node.inputs[0]
            continue
        # The sole reader of an uninitialized variable must fail.
        if name in _SHAPE_OPS and node.inputs[0] in reads:
            nodes.append(node)
            continue
        if repeats_once(node, constants, program):
            alias[node.outputs[0]] = node.inputs[0]
            continue
        target = target_shape(node, constants)
        if target is not None:
            shape = _second_output_constant(node, program, target)
            constants[shape.outputs[0]] = target
            alias[node.outputs[1]] = shape.outputs[0]
            nodes.append(shape)
            dims = program.slots[node.inputs[0]].dims
            if dims is not None and np.array_equal(target, constants[node.inputs[1]]):
                if len(dims) == 2 and dims[1] == target.size:
                    alias[node.outputs[0]] = node.inputs[0]
                    continue
        selected = partial.value(node, constants)
        values = _constant_outputs(node, constants, program) if selected is None else [selected]
        if values is not None and name != "Const" and _exceeds(values, _MAX_CONSTANT):
            constants.update(zip(node.outputs, values))
        elif values is not None:
            for slot, value in zip(node.outputs, values):
                if isinstance(value, np.ndarray):
                    value.flags.writeable = False
                constants[slot] = value
                key = _content_key(value, node.device)
                if key is not None and small.setdefault(key, slot) != slot:
                    alias[slot] = small[key]
                    continue
                nodes.append(Node("const", node.origin, (), (slot,), payload=Constant(value)))
                nodes[-1].device = node.device
            continue
        partial.add(node, constants)
        if not node.opdef.takes_context and node.inputs:
            twins = equal.setdefault((name, node.inputs, node.guard), [])
            twin = next((t for t in twins if same_attrs(t, node)), None)
            if twin is not None:
                alias.update(zip(node.outputs, twin.outputs))
                continue
            twins.append(node)
        nodes.append(node)
    program.fetch_guards = {
        n: g if g is None else _rename_guard(g, alias) for n, g in program.fetch_guards.items()
    }
    program.nodes = _hoist_shapes(remove_dead_nodes(nodes, program, alias))
    program.fetches = tuple(alias.get(s, s) for s in program.fetches)
    program.switches = {alias.get(s, s): node for s, node in program.switches.items()}
    return program


def _second_output_constant(node: Node, program: Program, value: np.ndarray) -> Node:
    """Returns a constant for the second output of a node."""
    value.flags.writeable = False
    slot = program.new_slot(program.slots[node.outputs[1]].dtype, value.shape)
    constant = Node("const", node.origin, (), (slot,), payload=Constant(value))
    constant.device = node.device
    return constant


def _factor_besides_one(
    node: Node, constants: Mapping[int, object], program: Program
) -> int | None:
    """Returns the other factor of a product with a constant scalar 1; None for any other product."""
    for constant_slot, factor in (node.inputs, node.inputs[::-1]):
        value = constants.get(constant_slot)
        if isinstance(value, np.ndarray) and not value.ndim and value.dtype.kind in "iuf":
            if value == 1 and not program.slots[factor].dtype._is_ref_dtype:
                return factor
    return None


def _content_key(value: object, device: str) -> tuple[str, tuple[int, ...], bytes, str] | None:
    """Returns a key for merging equal small constants; None for any other value."""
    if (
        not isinstance(value, np.ndarray)
        or value.dtype.kind not in "biuf"
        or value.size > _MAX_COMPARED_ELEMENTS
    ):
        return None
    return value.dtype.str, value.shape, value.tobytes(), device


def _constant_outputs(node: Node, constants: dict[int, Any], program: Program) -> list[Any] | None:
    """Returns the values of the node's outputs, if they follow from constants and static shapes."""
    name = node.opdef.name
    if name == "Const":
        return [node.attrs["value"].array]
    if node.opdef.takes_context or node.opdef.device_only or not node.inputs:
        return None
    if name in _SHAPE_OPS:
        dtype = program.slots[node.outputs[0]].dtype
        value = _static_shape_value(name, program.slots[node.inputs[0]].dims, dtype)
        return None if value is None else [value]
    for slot in node.inputs:
        if slot not in constants:
            return None
    values = _fold(node, constants)
    if values is None or _exceeds(values, _MAX_INTERMEDIATE):
        return None
    # TensorFlow declares the number of windows of fractional pooling, but returns one bound more.
    if not all(
        dims_allow(program.slots[s].dims, np.shape(v)) for s, v in zip(node.outputs, values)
    ):
        return None
    return values


def _exceeds(values: list[object], size: int) -> bool:
    return any(getattr(value, "nbytes", 0) > size for value in values)


def _static_shape_value(
    name: str, dims: tuple[int | None, ...] | None, dtype: DType
) -> np.ndarray | None:
    if dims is None or (name != "Rank" and None in dims):
        return None
    value: Any = dims if name == "Shape" else len(dims) if name == "Rank" else math.prod(dims)
    return np.asarray(value, dtype.as_numpy_dtype)


def _fold(node: Node, constants: dict[int, Any]) -> list[Any] | None:
    values = [constants[s] for s in node.inputs]
    previous = flush(1)  # as at run time
    try:
        with np.errstate(all="ignore"):
            return node.opdef.run_on_host(values, node.attrs)
    except Exception:  # raised at run time, with the node's name
        return None
    finally:
        restore(previous)


def same_attrs(a: Node, b: Node) -> bool:
    """Whether two nodes of one op have the same attributes and device."""
    if a.device != b.device:
        return False
    return a.attrs is b.attrs or all(
        a.attrs.get(k) == v for k, v in b.attrs.items() if not k.startswith("_")
    )


def _rename_guard(guard: Guard, alias: dict[int, int]) -> Guard:
    return tuple((alias.get(p, p), b) for p, b in guard) if guard else guard


def remove_dead_nodes(nodes: list[Node], program: Program, alias: dict[int, int]) -> list[Node]:
    """Removes dead nodes; the roots are fetches, guards, effects and targets."""
    needed = {alias.get(s, s) for s in program.fetches}
    needed.update(program.fetch_predicates)
    for node in nodes:
        if node.guard or node.payload:
            needed.update(node.predicates)
    for target in program.targets:
        needed.update(alias.get(s, s) for s in target.outputs)
    result = []
    for node in reversed(nodes):
        if (
            (node.kind == "op" and node.opdef.has_effects)
            or node.kind in ("alive", "while")
            or any(s in needed for s in node.outputs)
        ):
            needed.update(node.inputs)
            result.append(node)
    return result[::-1]


def _hoist_shapes(nodes: list[Node]) -> list[Node]:
    """Moves each Shape up to its input's producer, so the input is not kept alive for it."""
    if not any(node.kind == "op" and node.opdef.name in _SHAPE_OPS for node in nodes):
        return nodes
    producers = Uses(nodes).producer
    nodes_after: dict[int, list[Node]] = {}
    result: list[Node] = []
    moved_ids: set[int] = set()
    for node in nodes:
        if node.kind == "op" and node.opdef.name in _SHAPE_OPS:
            producer = producers.get(node.inputs[0])
            if producer is not None and producer.guard == node.guard:
                nodes_after.setdefault(id(producer), []).append(node)
                moved_ids.add(id(node))
    for node in nodes:
        if id(node) not in moved_ids:
            pending = [node]
            while pending:
                result.append(pending.pop())
                pending += nodes_after.get(id(result[-1]), ())
    return result
