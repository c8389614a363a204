"""fed_shapes: propagates the feeds' shapes through a program that is specialized to them.

With an unknown batch size, gradients read shapes at run time to broadcast, tile and divide. In a specialized plan these
are constants.
"""

from __future__ import annotations

from tfmini._src.compiler.analysis.symbolic_shapes import Symbols
from tfmini._src.compiler.passes.simplify import simplify
from tfmini._src.compiler.program.program import Program, Slot

_ROUNDS = 2  # a Reshape's result depends on constants that depend on shapes


def fed_shapes(program: Program, shapes: tuple[tuple[int, ...], ...]) -> Program:
    """Sets static slot shapes that follow from the shapes of all feeds; returns the program."""
    if not shapes:
        return program
    for slot, shape in zip(program.feeds, shapes):
        program.slots[slot] = Slot(program.slots[slot].dtype, shape)
    for _ in range(_ROUNDS):
        _propagate_shapes(program)
        program = simplify(program)
    return program


def _propagate_shapes(program: Program) -> None:
    symbols = Symbols(program)
    for node in program.nodes:
        symbols.add(node)
        for slot in node.outputs:
            declared_slot, dims = program.slots[slot], symbols.dims(slot)
            if dims is None or dims == declared_slot.dims or declared_slot.dtype._is_ref_dtype:
                continue
            if all(isinstance(dim, int) for dim in dims):
                program.slots[slot] = Slot(declared_slot.dtype, tuple(map(int, dims)))  # type: ignore[arg-type]
