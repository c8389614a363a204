"""divide_before_tile: moves a scalar division before a Tile, as in the gradient of a mean."""

from __future__ import annotations

from tfmini._src.compiler.analysis.def_use import Uses
from tfmini._src.compiler.program.program import Node, Program


def divide_before_tile(program: Program) -> Program:
    """Moves divisions that are a Tile's only reader before the Tile, on CPUs; returns the program."""
    uses = Uses(program.nodes)
    replaced: dict[int, list[Node]] = {}
    for node in program.nodes:
        if node.kind != "op" or node.opdef.name != "RealDiv" or not program.on_host(node):
            continue
        tile = uses.producer.get(node.inputs[0])
        if tile is None or program.slots[node.inputs[1]].dims != ():
            continue
        if _is_tile_for(node, tile, program, uses):
            replaced[id(tile)] = []
            replaced[id(node)] = _swap_nodes(node, tile, program)
    if replaced:
        program.nodes = [new for node in program.nodes for new in replaced.get(id(node), [node])]
    return program


def _is_tile_for(node: Node, tile: Node, program: Program, uses: Uses) -> bool:
    if tile.kind != "op" or tile.opdef.name != "Tile" or tile.controls or node.controls:
        return False
    if tile.guard != node.guard or tile.device != node.device or id(tile) in uses.awaited_ids:
        return False
    output = tile.outputs[0]
    return uses.only_reader(output) is node and output not in program.fetches


def _swap_nodes(division: Node, tile: Node, program: Program) -> list[Node]:
    value, multiples = tile.inputs
    slot = program.slots[value]
    quotient = program.new_slot(slot.dtype, slot.dims)
    first = Node("op", division.origin, (value, division.inputs[1]), (quotient,))
    second = Node("op", tile.origin, (quotient, multiples), division.outputs)
    for new, old in ((first, division), (second, tile)):
        new.opdef, new.attrs, new.guard, new.device = old.opdef, old.attrs, old.guard, old.device
    return [first, second]
