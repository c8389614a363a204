"""concat_matmuls: rewrites a sum of matrix products as one product.

`A1' B1 + A2' B2 + ...` is `[A1; A2; ...]' [B1; B2; ...]`. The gradient of a matrix shared by many steps, as
in a recurrent network, is such a sum: one large product replaces many thin ones and their sum. The corresponding bias
gradient sums the columns of B1, B2 ..., so it reuses the joined matrix.
"""

from __future__ import annotations

import numpy as np

from tfmini._src.base import dtypes
from tfmini._src.compiler.analysis.def_use import Uses
from tfmini._src.compiler.program.program import Constant, Guard, Node, Program
from tfmini._src.graph import op_registry

# The slots of one side of the terms, with their guard and device.
Key = tuple[tuple[int, ...], Guard, str]

_MIN_PRODUCTS = 3  # minimum number of products; for fewer, concatenation costs more than it saves


def concat_matmuls(program: Program) -> Program:
    """Replaces each AddN of products without other readers with a product of joined matrices; returns the program."""
    uses = Uses(program.nodes)
    fetched = set(program.fetches)
    products_of = {
        id(node): products
        for node in program.nodes
        if (products := _summed_nodes(node, "MatMul", uses, fetched)) and _share_rows(products)
    }
    joined = _ConcatenatedMatrices(program)
    sides = {joined.key(products, 1) for products in products_of.values()}
    nodes: list[Node] = []
    dropped: set[int] = set()
    for node in program.nodes:
        terms = products_of.get(id(node), [])
        if terms:
            nodes += _concatenated_product(node, terms, joined)
        else:
            terms = _summed_nodes(node, "BiasAddGrad", uses, fetched)
            if not terms or joined.key(terms, 0) not in sides or not _are_matrices(terms, program):
                nodes.append(node)
                continue
            nodes += _column_sums(node, terms, joined)
        dropped.update(id(term) for term in terms)
    program.nodes = [n for n in nodes if id(n) not in dropped]
    return program


def _summed_nodes(node: Node, name: str, uses: Uses, fetched: set[int]) -> list[Node]:
    """Returns the nodes of this op whose only reader is an AddN of results of this op."""
    if node.kind != "op" or node.opdef.name != "AddN" or len(node.inputs) < _MIN_PRODUCTS:
        return []
    terms = []
    for slot in node.inputs:
        source = uses.producer.get(slot)
        if source is None or source.kind != "op" or source.opdef.name != name:
            return []
        if len(uses.readers[slot]) > 1 or slot in fetched or source.guard != node.guard:
            return []
        if source.device != node.device:
            return []
        terms.append(source)
    return terms if terms[0].attrs["T"] in (dtypes.float32, dtypes.float64) else []


def _share_rows(products: list[Node]) -> bool:
    return all(p.attrs["transpose_a"] and not p.attrs["transpose_b"] for p in products)


def _are_matrices(gradients: list[Node], program: Program) -> bool:
    dims = [program.slots[g.inputs[0]].dims for g in gradients]
    return all(d is not None and len(d) == 2 for d in dims) and all(
        g.attrs["data_format"] == "NHWC" for g in gradients
    )


class _ConcatenatedMatrices:
    """Vertically concatenated matrices; each list is concatenated once."""

    def __init__(self, program: Program):
        self.program = program
        self._slots: dict[Key, int] = {}
        self._axes: dict[tuple[Guard, str], int] = {}

    @staticmethod
    def key(terms: list[Node], side: int) -> Key:
        first = terms[0]
        return tuple(term.inputs[side] for term in terms), first.guard, first.device

    def concatenate_side(self, terms: list[Node], side: int, total: Node) -> tuple[int, list[Node]]:
        """Returns the slot of one side of the terms, and the nodes that compute it if it does not exist yet."""
        key = self.key(terms, side)
        if key in self._slots:
            return self._slots[key], []
        slots = key[0]
        dtype = terms[0].attrs["T"]
        dims = self.program.slots[slots[0]].dims
        columns = dims[1] if dims is not None and len(dims) == 2 else None
        nodes = []
        axis = self._axes.get(key[1:])
        if axis is None:
            axis = self._axes[key[1:]] = self.program.new_slot(dtypes.int32, ())
            nodes.append(Node("const", total.origin, (), (axis,), payload=Constant(np.int32(0))))
        matrix = self._slots[key] = self.program.new_slot(dtype, (None, columns))
        concat = Node("op", total.origin, (*slots, axis), (matrix,))
        concat.opdef = op_registry.opdef("ConcatV2")
        concat.attrs = {"N": len(slots), "T": dtype, "Tidx": dtypes.int32}
        return matrix, [*nodes, concat]


def _concatenated_product(
    total: Node, products: list[Node], joined: _ConcatenatedMatrices
) -> list[Node]:
    """Returns the nodes that join the left and the right matrices and multiply them."""
    left, nodes = joined.concatenate_side(products, 0, total)
    right, right_nodes = joined.concatenate_side(products, 1, total)
    product = Node("op", products[0].origin, (left, right), total.outputs)
    return _replace_total(total, products, [*nodes, *right_nodes, product])


def _column_sums(total: Node, gradients: list[Node], joined: _ConcatenatedMatrices) -> list[Node]:
    """Returns the nodes that join the matrices and sum their columns."""
    matrix, nodes = joined.concatenate_side(gradients, 0, total)
    sums = Node("op", gradients[0].origin, (matrix,), total.outputs)
    return _replace_total(total, gradients, [*nodes, sums])


def _replace_total(total: Node, terms: list[Node], nodes: list[Node]) -> list[Node]:
    controls = tuple(dict.fromkeys(c for n in (total, *terms) for c in n.controls))
    for node in nodes:
        node.guard, node.device, node.controls = total.guard, total.device, controls
    return nodes
