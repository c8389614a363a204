"""pack_matmuls: packs a right-hand matrix shared by several CPU products once.

The steps of a recurrent network multiply by the same weights: `[x, h] W` forward, `g W'` back. In an unrolled network
these products are in one program; in a loop the matrix is a loop invariant, or a slice of one, and is packed before the
loop.
"""

from __future__ import annotations

import math
from dataclasses import replace
from typing import Any

import numpy as np

from tfmini._src.base import dtypes
from tfmini._src.compiler.analysis.def_use import Uses
from tfmini._src.compiler.fusion.epilogues import BIASES
from tfmini._src.compiler.passes.fuse_matmul import ProductChain
from tfmini._src.compiler.passes.fuse_native import fusion_key
from tfmini._src.compiler.program.fused_node import fused_node
from tfmini._src.compiler.program.program import FusedGroup, Node, Program
from tfmini._src.devices.arrays import Array
from tfmini._src.devices.host.native import packed_matmul, runs
from tfmini._src.devices.host.onednn import matmul as onednn

_MIN_PRODUCTS = 3  # minimum number of products per program; one is enough in a loop
_MIN_MULTIPLICATIONS = 100_000  # minimum number of multiplications
_MIN_ROWS = 4  # minimum rows of the left matrix; for fewer, NumPy's BLAS is as fast
_MIN_PACKED_ELEMENTS = 4096  # minimum elements of the right matrix


def pack_matmuls(program: Program) -> Program:
    """Replaces products that share a matrix with "fused" nodes, preceded by packing nodes; returns the program."""
    if packed_matmul.is_available():
        _pack_products(program)
    return program


def makes_runs() -> bool:
    """Whether packed products and their successors become runs."""
    return runs.is_available()


def _pack_products(program: Program) -> None:
    nodes: list[Node] = []
    for node in program.nodes:
        if node.kind == "while":
            _pack_products(node.loop.program)
            nodes += _hoist_invariant_packing(node, program)
        nodes.append(node)
    shared: dict[tuple[object, ...], list[Node]] = {}
    for node in nodes:
        product = _packable_product(node, program)
        if product is not None:
            key = product.inputs[1], product.attrs["transpose_b"], node.guard, node.device
            shared.setdefault(key, []).append(node)
    replaced: dict[int, list[Node]] = {}
    for products in shared.values():
        if len(products) >= _MIN_PRODUCTS:
            first = matmul_chain(products[0])[0]
            packing = _packing_node(first, first.inputs[1], program)
            for product in products:
                replaced[id(product)] = _multiply_panels(product, packing.outputs[0], program)
            replaced[id(products[0])].insert(0, packing)
    program.nodes = [new for node in nodes for new in replaced.get(id(node), [node])]


def _hoist_invariant_packing(loop_node: Node, program: Program) -> list[Node]:
    """Returns the nodes that pack the loop-invariant matrices of a loop's products before it."""
    loop = loop_node.loop
    body = loop.program
    outside_slots = dict(zip(body.feeds[loop.variables :], loop_node.inputs[loop.variables :]))
    enters = dict(zip(body.feeds, loop.enters))
    producers = Uses(body.nodes).producer
    hoisted: list[Node] = []
    # Slots outside and inside, and the node through which the value enters.
    entered: list[tuple[int, int, Node]] = []
    panels: dict[tuple[int, bool], int] = {}
    replaced: dict[int, list[Node]] = {}
    for node in body.nodes:
        product = _packable_product(node, body)
        if product is None:
            continue
        slot = product.inputs[1]
        producer = producers.get(slot)
        if (
            slot not in outside_slots
            and producer is not None
            and _is_slice(producer, outside_slots, producers)
        ):
            hoisted += _copy_slice(producer, outside_slots, producers, loop_node, program)
            enters[slot] = enters[producer.inputs[0]]
            entered.append((outside_slots[slot], slot, enters[slot]))
            replaced[id(producer)] = []
        if slot not in outside_slots:
            continue
        key = slot, product.attrs["transpose_b"]
        if key not in panels:
            packing = _packing_node(product, outside_slots[slot], program)
            packing.guard, packing.device = loop_node.guard, node.device
            hoisted.append(packing)
            panels[key] = body.new_slot(dtypes.float32, (None,))
            entered.append((packing.outputs[0], panels[key], enters[slot]))
        replaced[id(node)] = _multiply_panels(node, panels[key], body)
    body.nodes = [new for node in body.nodes for new in replaced.get(id(node), [node])]
    if entered:
        outer, inner, through = zip(*entered)
        loop_node.inputs += outer
        body.feeds += inner
        loop_node.payload = replace(loop, enters=loop.enters + through)
    return hoisted


def _is_slice(node: Node, outside_slots: dict[int, int], producers: dict[int, Node]) -> bool:
    """Whether the node slices a constant part of a loop invariant."""
    if (
        node.kind != "op"
        or node.opdef.name != "Slice"
        or node.inputs[0] not in outside_slots
        or node.controls
    ):
        return False
    return all(slot in producers and producers[slot].kind == "const" for slot in node.inputs[1:])


def _copy_slice(
    node: Node,
    outside_slots: dict[int, int],
    producers: dict[int, Node],
    loop_node: Node,
    program: Program,
) -> list[Node]:
    """Returns copies of a slice's nodes for use outside the loop."""
    inner = node.outputs[0]
    moved_nodes = [
        Node("const", node.origin, (), (), payload=producers[slot].payload)
        for slot in node.inputs[1:]
    ]
    for constant, slot in zip(moved_nodes, node.inputs[1:]):
        template = program.slots[slot]
        constant.outputs = (program.new_slot(template.dtype, template.dims),)
    template = program.slots[inner]
    outside_slots[inner] = program.new_slot(template.dtype, template.dims)
    outputs = tuple(constant.outputs[0] for constant in moved_nodes)
    sliced = Node(
        "op", node.origin, (outside_slots[node.inputs[0]], *outputs), (outside_slots[inner],)
    )
    sliced.opdef, sliced.attrs = node.opdef, node.attrs
    for new_node in (*moved_nodes, sliced):
        new_node.guard, new_node.device = loop_node.guard, node.device
    return [*moved_nodes, sliced]


def _packable_product(node: Node, program: Program) -> Node | None:
    """Returns a CPU product known to be large enough: the node, or a fused node with bias and activation."""
    product, *epilogue = matmul_chain(node)
    activation_nodes = [n for n in epilogue if n.opdef.name not in BIASES]
    if epilogue and not (makes_runs() and all(fusion_key(n, program) for n in activation_nodes)):
        return None
    return product if _is_packable(product, program) else None


def matmul_chain(node: Node) -> tuple[Node, ...]:
    """Returns a product and its epilogue in one call, or the node itself."""
    is_chain = node.kind == "fused" and isinstance(node.fused.evaluate, ProductChain)
    return node.members if is_chain else (node,)


def _is_packable(node: Node, program: Program) -> bool:
    """Whether the node is a CPU product known to be large enough."""
    if node.kind != "op" or node.opdef.name != "MatMul" or not program.on_host(node):
        return False
    if node.attrs["T"] is not dtypes.float32 or node.attrs["transpose_a"]:
        return False
    left, right = (program.slots[slot].dims for slot in node.inputs)
    if left is None or right is None or len(left) != 2 or len(right) != 2 or None in right:
        return False
    sizes: tuple[Any, ...] = right
    if math.prod(sizes) < _MIN_PACKED_ELEMENTS:
        return False
    return left[0] is None or _is_worthwhile(left[0], *sizes)


def _is_worthwhile(rows: int, *sizes: int) -> bool:
    if rows < _MIN_ROWS or rows * math.prod(sizes) < _MIN_MULTIPLICATIONS:
        return False
    return not onednn.should_use_onednn(rows, *sizes)


def _packing_node(product: Node, matrix: int, program: Program) -> Node:
    """Returns a node that packs a matrix; it has no counterpart in the graph."""
    panels = program.new_slot(dtypes.float32, (None,))
    packing = Node("fused", product.origin, (matrix,), (panels,))
    packing.guard, packing.device = product.guard, product.device
    packing.payload = FusedGroup((), Packing(product.attrs["transpose_b"]))
    return packing


def _multiply_panels(node: Node, panels: int, program: Program) -> list[Node]:
    """Returns the product with the packed matrix, a bias, and the following ops."""
    product, *epilogue = matmul_chain(node)
    members = [product, *(n for n in epilogue if n.opdef.name in BIASES)]
    dims: Any = program.slots[product.inputs[1]].dims
    evaluate = PackedProduct(*(reversed(dims) if product.attrs["transpose_b"] else dims))
    biases = tuple(n.inputs[1] for n in members[1:])
    inputs = (*product.inputs, panels, *biases)
    return [fused_node(members, inputs, members[-1].outputs, evaluate), *epilogue[len(biases) :]]


class Packing:
    """Packs a matrix, or its transpose if `is_transposed`: `packing(matrix)`; None if the products use it unpacked."""

    def __init__(self, is_transposed: bool):
        self._is_transposed = is_transposed

    def __call__(self, matrix: Array) -> Array | None:
        return packed_matmul.pack_matrix(matrix, self._is_transposed)


class PackedProduct:
    """A product with a packed right matrix of these sizes: `product(a, b, panels)`, optionally followed by a bias.

    Returns None to fall back to MatMul.
    """

    dtype = np.float32

    def __init__(self, inner: int, columns: int):
        self.sizes = inner, columns

    def pays(self, rows: int) -> bool:
        """Whether a product of this many rows is faster than NumPy's BLAS."""
        return _is_worthwhile(rows, *self.sizes)

    def __call__(
        self, a: Array, b: Array, panels: Array | None, bias: Array | None = None
    ) -> Array | None:
        inner, columns = self.sizes
        if panels is None or a.ndim != 2 or a.shape[1] != inner or not self.pays(len(a)):
            return None
        return packed_matmul.product(a, columns, panels, bias)
