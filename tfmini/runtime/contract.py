"""contract: a sum of products becomes one product.

`A1' B1 + A2' B2 + ...` is `[A1; A2; ...]' [B1; B2; ...]`. The gradient of a matrix that many steps share, as in a
recurrent network, is such a sum: one large product in place of many thin ones, and of their sum.
"""

from __future__ import annotations

import numpy as np

from tfmini import dtypes
from tfmini.graph import lookup
from tfmini.runtime.program import Node, Program

_FEWEST = 3  # products; below that joining costs more than it saves


def contract(program: Program) -> Program:
    """Returns the program with each AddN of products that only it reads replaced by a product of joined matrices."""
    if not any(node.kind == "op" and node.opdef.name == "AddN" for node in program.nodes):
        return program
    made_by = {slot: node for node in program.nodes for slot in node.outputs}
    readers: dict[int, int] = {}
    for node in program.nodes:
        for slot in node.inputs:
            readers[slot] = readers.get(slot, 0) + 1
    fetched = set(program.fetches)
    nodes: list[Node] = []
    dropped: set[int] = set()
    for node in program.nodes:
        products = _products(node, made_by, readers, fetched)
        if products:
            dropped.update(id(p) for p in products)
            nodes += _joined(node, products, program)
        else:
            nodes.append(node)
    program.nodes = [n for n in nodes if id(n) not in dropped]
    return program


def _products(
    node: Node, made_by: dict[int, Node], readers: dict[int, int], fetched: set[int]
) -> list[Node]:
    """The products that an AddN sums, if they can be joined along their first axes; else nothing."""
    if node.kind != "op" or node.opdef.name != "AddN" or len(node.inputs) < _FEWEST:
        return []
    products = []
    for slot in node.inputs:
        source = made_by.get(slot)
        if source is None or source.kind != "op" or source.opdef.name != "MatMul":
            return []
        if readers[slot] > 1 or slot in fetched or source.guard != node.guard:
            return []
        if source.device != node.device:
            return []
        if not source.attrs["transpose_a"] or source.attrs["transpose_b"]:
            return []
        products.append(source)
    return products if products[0].attrs["T"] in (dtypes.float32, dtypes.float64) else []


def _joined(total: Node, products: list[Node], program: Program) -> list[Node]:
    """The nodes that join the left and the right matrices and multiply them."""
    axis = program.new_slot(dtypes.int32, ())
    nodes = [Node("const", total.origin, (), (axis,), value=np.int32(0))]
    sides = []
    for side in (0, 1):
        slots = tuple(p.inputs[side] for p in products)
        dims = program.slots[slots[0]].dims
        columns = dims[1] if dims is not None and len(dims) == 2 else None
        joined = program.new_slot(products[0].attrs["T"], (None, columns))
        concat = Node("op", total.origin, (*slots, axis), (joined,))
        concat.opdef = lookup.opdef("ConcatV2")
        concat.attrs = {"N": len(slots), "T": products[0].attrs["T"], "Tidx": dtypes.int32}
        concat.guard = total.guard
        nodes.append(concat)
        sides.append(joined)
    product = Node("op", products[0].origin, tuple(sides), total.outputs)
    product.guard = total.guard
    nodes.append(product)
    controls = tuple(dict.fromkeys(c for n in (total, *products) for c in n.controls))
    for node in nodes:
        node.device = total.device
        node.controls = controls
    return nodes
