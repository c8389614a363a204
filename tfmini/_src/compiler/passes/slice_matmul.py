"""slice_matmul: computes only the columns of a matrix product that are read.

`(A B)[:, i:j]` is `A (B[:, i:j])`. The gradient of a cell's input, [input, state], is such a product: where the input
is fed, only the columns of the state are read.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from tfmini._src.base import dtypes
from tfmini._src.compiler.analysis.def_use import Uses
from tfmini._src.compiler.analysis.symbolic_shapes import Symbols
from tfmini._src.compiler.passes.simplify import remove_dead_nodes
from tfmini._src.compiler.program.program import Constant, Node, Program
from tfmini._src.graph import op_registry


def slice_matmul(program: Program) -> Program:
    """Replaces each product that is read only through a column Slice with a smaller one; returns the program."""
    uses = Uses(program.nodes)
    producers = uses.producer
    if not any(_slices_a_product(node, producers) for node in program.nodes):
        return program
    symbols = Symbols(program)
    # By id of a product: the product, and the Slice that replaces it.
    replaced: dict[int, list[Node]] = {}
    # Shared columns of matrices used by several products.
    shared: dict[tuple[object, ...], int] = {}
    for node in program.nodes:
        symbols.add(node)
        columns = _sliced_columns(node, producers, symbols, program)
        if (
            columns is None
            or len(uses.readers[node.inputs[0]]) > 1
            or node.inputs[0] in program.fetches
        ):
            continue
        product = producers[node.inputs[0]]
        if node.controls or {id(product), id(node)} & uses.awaited_ids:
            continue
        if product.guard == node.guard and product.device == node.device:
            replaced[id(product)] = _narrow_product(product, node, *columns, program, shared)
            replaced[id(node)] = []
    if replaced:
        nodes = [new for node in program.nodes for new in replaced.get(id(node), [node])]
        program.nodes = remove_dead_nodes(nodes, program, {})
    return program


def _sliced_columns(
    node: Node, producers: dict[int, Node], symbols: Symbols, program: Program
) -> tuple[int, int] | None:
    """Returns the columns that the node slices from a product, as a range; None for other nodes."""
    if not _slices_a_product(node, producers):
        return None
    if producers[node.inputs[0]].attrs["T"] not in (dtypes.float32, dtypes.float64):
        return None
    dims: tuple[Any, ...] | None = symbols.dims(node.inputs[0])
    begin, size = (symbols.vector(slot) for slot in node.inputs[1:])
    if (
        dims is None
        or begin is None
        or size is None
        or not len(dims) == len(begin) == len(size) == 2
    ):
        return None
    (row, first), (rows, count) = begin, size
    if not (isinstance(first, int) and isinstance(count, int) and isinstance(dims[1], int)):
        return None
    last = dims[1] if count == -1 else first + count
    if row != 0 or rows not in (-1, dims[0]) or not 0 <= first < last <= dims[1]:
        return None
    return first, last


def _slices_a_product(node: Node, producers: dict[int, Node]) -> bool:
    if node.kind != "op" or node.opdef.name != "Slice":
        return False
    product = producers.get(node.inputs[0])
    return product is not None and product.kind == "op" and product.opdef.name == "MatMul"


def _narrow_product(
    product: Node,
    node: Node,
    first: int,
    last: int,
    program: Program,
    shared: dict[tuple[object, ...], int],
) -> list[Node]:
    """Returns the nodes of the smaller product, and of its columns unless an earlier node computes them."""
    matrix = product.inputs[1]
    as_rows = product.attrs["transpose_b"]
    inner = _inner_size(program.slots[matrix].dims, as_rows)
    dtype = product.attrs["T"]
    key = matrix, as_rows, first, last, product.guard, product.device, product.controls
    part = shared.get(key)
    new: list[Node] = []
    if part is None:
        dims = (last - first, inner) if as_rows else (inner, last - first)
        part = shared[key] = program.new_slot(dtype, dims)
        begin = _int32_constant([first, 0] if as_rows else [0, first], node, program)
        size = _int32_constant([last - first, -1] if as_rows else [-1, last - first], node, program)
        part_node = Node("op", node.origin, (matrix, begin.outputs[0], size.outputs[0]), (part,))
        part_node.opdef = op_registry.opdef("Slice")
        part_node.attrs = {"T": dtype, "Index": dtypes.int32}
        new = [begin, size, part_node]
    new.append(Node("op", product.origin, (product.inputs[0], part), node.outputs))
    for new_node in new:
        new_node.guard, new_node.device, new_node.controls = (
            product.guard,
            product.device,
            product.controls,
        )
    return new


def _inner_size(dims: tuple[int | None, ...] | None, as_rows: bool) -> int | None:
    return None if dims is None else dims[1 if as_rows else 0]


def _int32_constant(values: list[int], node: Node, program: Program) -> Node:
    slot = program.new_slot(dtypes.int32, (2,))
    array = np.array(values, np.int32)
    array.flags.writeable = False
    return Node("const", node.origin, (), (slot,), payload=Constant(array))
