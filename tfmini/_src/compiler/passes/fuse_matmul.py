"""fuse_matmul: a product of matrices on a CPU, its bias and its activation become one call.

Each thread adds the bias to its part of the product and applies the activation while the part is in its cache. The
product whose elements a gradient of ReLU keeps or drops is made in the same way.
"""

from __future__ import annotations

import math
from typing import Any

from tfmini._src.base import dtypes
from tfmini._src.compiler.analysis.def_use import Uses
from tfmini._src.compiler.passes.fuse_gpu import fused_node, is_on_gpu
from tfmini._src.compiler.program.program import Node, Program
from tfmini._src.devices.arrays import Array
from tfmini._src.devices.native.matmul import AFTER, NOTHING, can_finish
from tfmini._src.devices.numpy.blas import finished_product

_BIASES = frozenset({"BiasAdd", "BiasAddV1", "Add", "AddV2"})
# Multiplications: below that a call for all takes as long as numpy's for each.
_LEAST = 100_000


def fuse_matmul(program: Program) -> Program:
    """Returns the program with such nodes replaced by one of kind "fused" where the last of them stands.

    A Shape of the product, which the bias's gradient asks for, becomes that of the result, which is the same.
    """
    if not any(_is_product(node) for node in program.nodes) or not can_finish():
        return program
    uses = Uses(program.nodes)
    places = {id(node): place for place, node in enumerate(program.nodes)}
    replaced: dict[int, list[Node]] = {}
    for node in program.nodes:
        if not _is_product(node) or _is_small(node, program):
            continue
        chain, shapes = _chain(node, program, uses)
        if len(chain) == 1 or _is_asked_before(shapes, places[id(chain[-1])], uses, places):
            continue
        replaced.update({id(each): [] for each in (*chain, *shapes)})
        for shape in shapes:
            shape.inputs = chain[-1].outputs
        replaced[id(chain[-1])] = [_fused(chain), *shapes]
    if replaced:
        program.nodes = [new for node in program.nodes for new in replaced.get(id(node), [node])]
    return program


def _is_product(node: Node) -> bool:
    if node.kind != "op" or node.opdef.name != "MatMul" or is_on_gpu(node):
        return False
    return node.attrs["T"] in (dtypes.float32, dtypes.float64)


def _is_small(product: Node, program: Program) -> bool:
    """Whether it is known to be below what pays."""
    a, result = (program.slots[slot].dims for slot in (product.inputs[0], product.outputs[0]))
    if a is None or result is None or len(a) != 2:  # a vector's error is said when it runs
        return False
    inner = a[0 if product.attrs["transpose_a"] else 1]
    sizes: tuple[Any, ...] = (*result, inner)
    return all(isinstance(size, int) for size in sizes) and math.prod(sizes) < _LEAST


def _chain(product: Node, program: Program, uses: Uses) -> tuple[list[Node], list[Node]]:
    """A product, the bias and activation that are its only readers, and nodes that only ask for shapes."""
    chain, shapes = [product], []
    for follows in (_is_bias, _is_activation):
        slot = chain[-1].outputs[0]
        readers = uses.readers.get(slot, [])
        asking = [node for node in readers if node.kind == "op" and node.opdef.name == "Shape"]
        others = [node for node in readers if node not in asking]
        if len(others) != 1 or slot in program.fetches or others[0].kind != "op":
            continue
        if _goes_with(others[0], product) and follows(others[0], chain, program):
            if all(_can_wait(node, product, program, uses) for node in asking):
                chain.append(others[0])
                shapes += asking
    return chain, shapes


def _goes_with(node: Node, product: Node) -> bool:
    return node.guard == product.guard and node.device == product.device


def _can_wait(shape: Node, product: Node, program: Program, uses: Uses) -> bool:
    """Whether a Shape may come later, of another slot."""
    if shape.controls or id(shape) in uses.awaited or shape.outputs[0] in program.fetches:
        return False
    return _goes_with(shape, product)


def _is_bias(node: Node, chain: list[Node], program: Program) -> bool:
    """Whether a node adds a vector to the rows of the product."""
    name = node.opdef.name
    if name not in _BIASES or node.attrs.get("data_format", "NHWC") != "NHWC":
        return False
    value, bias = node.inputs
    dims, columns = program.slots[value].dims, program.slots[bias].dims
    if value != chain[-1].outputs[0] or dims is None or len(dims) != 2 or dims[1] is None:
        return False
    return columns == dims[1:]


def _is_activation(node: Node, chain: list[Node], program: Program) -> bool:
    if node.opdef.name not in AFTER or node.inputs[0] != chain[-1].outputs[0]:
        return False
    if node.opdef.name != "ReluGrad":
        return True
    dims, features = (program.slots[slot].dims for slot in node.inputs)
    return (
        len(chain) == 1
        and dims is not None
        and dims == features
        and node.inputs[1] != node.inputs[0]
    )


def _is_asked_before(shapes: list[Node], last: int, uses: Uses, places: dict[int, int]) -> bool:
    """Whether one of these shapes is needed before the last node of the chain."""
    return any(
        places[id(reader)] < last
        for shape in shapes
        for reader in uses.readers.get(shape.outputs[0], ())
    )


def _fused(chain: list[Node]) -> Node:
    made = {node.outputs[0] for node in chain}
    inputs = tuple(slot for node in chain for slot in node.inputs if slot not in made)
    return fused_node(chain, inputs, chain[-1].outputs, FinishedProduct(chain))


class FinishedProduct:
    """Evaluates a chain: `chain(a, b)`, with the bias or what ReluGrad reads; None where the nodes are to do it."""

    def __init__(self, chain: list[Node]):
        attrs = chain[0].attrs
        self._turned = attrs["transpose_a"], attrs["transpose_b"]
        names = [node.opdef.name for node in chain[1:]]
        self._has_bias = names[0] in _BIASES
        self._after = AFTER.get(names[-1], NOTHING)

    def __call__(self, a: Array, b: Array, *beside: Array) -> Array | None:
        if a.ndim != 2 or b.ndim != 2:
            return None
        left, right = a.T if self._turned[0] else a, b.T if self._turned[1] else b
        rows, inner = left.shape
        if rows * inner * right.shape[1] < _LEAST or inner != len(right):
            return None
        first = beside[0] if beside else None
        bias, features = (first, None) if self._has_bias else (None, first)
        result: Array = finished_product(left, right, bias, self._after, features)
        return result
