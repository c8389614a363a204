"""fed_shapes: in a program for feeds of certain shapes, the shapes that follow from them.

A batch of any size makes gradients ask for shapes as they run: what they broadcast, repeat and divide by. In the plan
for one size all of it is constants.
"""

from __future__ import annotations

from tfmini._src.compiler.analysis.symbolic_shapes import Symbols
from tfmini._src.compiler.passes.simplify import simplify
from tfmini._src.compiler.program.program import Program, Slot

_ROUNDS = 2  # a Reshape's result follows from constants that follow from shapes


def fed_shapes(program: Program, shapes: tuple[tuple[int, ...], ...]) -> Program:
    """Returns the program with the static shapes of slots that follow from those of all feeds."""
    if not shapes:
        return program
    for slot, shape in zip(program.feeds, shapes):
        program.slots[slot] = Slot(program.slots[slot].dtype, shape)
    for _ in range(_ROUNDS):
        _propagate(program)
        program = simplify(program)
    return program


def _propagate(program: Program) -> None:
    known = Symbols(program)
    for node in program.nodes:
        known.add(node)
        for slot in node.outputs:
            held, dims = program.slots[slot], known.dims(slot)
            if dims is None or dims == held.dims or held.dtype._is_ref_dtype:
                continue
            if all(isinstance(dim, int) for dim in dims):
                program.slots[slot] = Slot(held.dtype, tuple(map(int, dims)))  # type: ignore[arg-type]
