"""drop_noop_reshapes: removes reshapes to the input's own shape, sums over no axes, and all but the last of consecutive
reshapes.

The gradient of a broadcasting op sums over the repeated axes and reshapes. If both operands have the same shape,
which `symbolic_shapes.py` can prove even for sizes known only at run time, nothing was repeated.
"""

from __future__ import annotations

import math

from tfmini._src.compiler.analysis.def_use import Uses
from tfmini._src.compiler.analysis.symbolic_shapes import Symbols
from tfmini._src.compiler.passes.simplify import remove_dead_nodes
from tfmini._src.compiler.program.program import Guard, Node, Program
from tfmini._src.graph.shape_inference import broadcast, same_shape

# Ops whose results have the shape that `set_shape` declares, right or wrong; a Reshape that may raise is retained.
_SHAPE_AGNOSTIC_OPS = frozenset(
    {
        "PyFunc",
        "PyFuncStateless",
        "EagerPyFunc",
        "ParseTensor",
        "DecodeRaw",
        "DecodeJpeg",
        "DecodePng",
    }
)


def drop_noop_reshapes(program: Program) -> Program:
    """Removes no-op reshapes and sums, and their dead producers; returns the program."""
    symbols = Symbols(program)
    producers = Uses(program.nodes).producer
    alias: dict[int, int] = {}
    nodes: list[Node] = []
    skips = False
    declared_shapes = _declared_shapes(program)
    for node in program.nodes:
        node.inputs = tuple([alias.get(slot, slot) for slot in node.inputs])
        if node.kind == "op" and node.opdef.name in ("Reshape", "Sum"):
            first_reshape = producers.get(node.inputs[0])
            shapes_are_inferred = declared_shapes.isdisjoint(node.inputs)
            is_reshape = node.opdef.name == "Reshape"
            if (
                shapes_are_inferred
                and is_reshape
                and _is_redundant(first_reshape, node, program, symbols)
            ):
                node.inputs = (first_reshape.inputs[0], node.inputs[1])  # type: ignore[union-attr]
                skips = True
            find_input = _noop_input if is_reshape else _noop_sum_result
            source = find_input(node, producers, symbols) if shapes_are_inferred else None
            if source is not None:
                alias[node.outputs[0]] = source
                continue
        symbols.add(node)
        nodes.append(node)
    if not alias and not skips:
        return program
    program.nodes = remove_dead_nodes(nodes, program, alias)
    program.fetches = tuple(alias.get(slot, slot) for slot in program.fetches)
    return program


def _declared_shapes(program: Program) -> set[int]:
    """Returns the slots with declared static shapes, including results of elementwise ops on them."""
    slots: set[int] = set()
    for node in program.nodes:
        if node.kind != "op":
            continue
        infers_shape = bool(slots) and node.opdef.shape_rule in (same_shape, broadcast)
        if (
            node.opdef.name in _SHAPE_AGNOSTIC_OPS
            or infers_shape
            and not slots.isdisjoint(node.inputs)
        ):
            slots.update(
                [s for s in node.outputs if None not in (program.slots[s].dims or (None,))]
            )
    return slots


def _noop_input(node: Node, producers: dict[int, Node], symbols: Symbols) -> int | None:
    """Returns the input slot of a Reshape that does not change its value; None for other nodes."""
    source, shape = node.inputs
    target, dims = symbols.vector(shape), symbols.dims(source)
    if target is None or not target:
        return None
    if target.count(-1) == 1 and dims is not None and all(isinstance(d, int) for d in dims):
        # The size that -1 stands for, if all other sizes are equal.
        inferred_dims = [d for d, size in zip(dims, target) if size == -1]
        target = tuple(
            inferred_dims[0] if size == -1 and inferred_dims else size for size in target
        )
    total = producers.get(source)
    if total is not None and total.kind == "op" and total.opdef.name == "Sum":
        where = producers.get(total.inputs[1])
        if where is not None and where.kind == "op" and where.opdef.name == "BroadcastGradientArgs":
            side = where.outputs.index(total.inputs[1])
            # The summed tensor has the broadcast shape of both operands: summed axes have size 1 in the operand.
            if where.inputs[side] == shape and symbols.dims(total.inputs[0]) == target:
                return total.inputs[0] if total.guard == node.guard else None
    return source if dims == target and _shape_guard(total) == node.guard else None


def _is_redundant(
    first_reshape: Node | None, node: Node, program: Program, symbols: Symbols
) -> bool:
    """Whether the node's input also comes from a Reshape, with an equal number of elements."""
    if first_reshape is None or first_reshape.kind != "op" or first_reshape.opdef.name != "Reshape":
        return False
    viewed, result = (
        program.slots[s].dims for s in (first_reshape.inputs[0], first_reshape.outputs[0])
    )
    if viewed is None or result is None or None in (*viewed, *result):
        return False
    if len(result) > 1 and symbols.vector(node.inputs[1]) == result:
        return False  # the first of two Reshapes to one shape is retained: it may raise at run time
    return first_reshape.guard == node.guard and math.prod(viewed) == math.prod(result)  # type: ignore[arg-type]


def _noop_sum_result(node: Node, producers: dict[int, Node], symbols: Symbols) -> int | None:
    """Returns the result slot of a Sum over no axes, else None."""
    source, axes = node.inputs
    return (
        source
        if symbols.vector(axes) == () and _shape_guard(producers.get(source)) == node.guard
        else None
    )


def _shape_guard(node: Node | None) -> Guard:
    return () if node is None else node.guard
