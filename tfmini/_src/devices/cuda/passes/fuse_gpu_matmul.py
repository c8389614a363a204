"""fuse_gpu_matmul: fuses a matrix product on a GPU with its bias and ReLU into one cublasLt launch.

The gradients of a layer's matrix and bias, which are a product with an array and the sum of that array, also become one
launch. The bias may be added by a BiasAdd or an addition.
"""

from __future__ import annotations

from types import ModuleType

import numpy as np

from tfmini._src.base import dtypes
from tfmini._src.compiler.analysis.def_use import Uses
from tfmini._src.compiler.fusion.epilogues import fuse_chains, is_activation, is_bias
from tfmini._src.compiler.program.fused_node import fused_node
from tfmini._src.compiler.program.program import Node, Program
from tfmini._src.devices.arrays import Array
from tfmini._src.devices.cuda.matmul import matmul_and_column_sums, matmul_with_epilogue
from tfmini._src.devices.cuda.passes.fuse_gpu import is_on_gpu

_TYPES = dtypes.float16, dtypes.float32, dtypes.float64


def fuse_gpu_matmul(program: Program) -> Program:
    """Replaces each product and its epilogue by one node of kind "fused".

    The node takes the position of the chain's last node, or of the first of two gradients.
    """
    rules = is_bias, is_activation(("Relu",))
    program = fuse_chains(program, lambda node: rules if _is_product(node) else (), ProductChain)
    return _fuse_gradients(program)


def _is_product(node: Node) -> bool:
    if node.kind != "op" or node.opdef.name != "MatMul" or not is_on_gpu(node):
        return False
    return node.attrs["T"] in _TYPES


class ProductChain:
    """Evaluates a chain: `chain(xp, a, b)`, plus the bias if any; returns None to fall back to the nodes."""

    def __init__(self, chain: list[Node]):
        attrs, names = chain[0].attrs, [node.opdef.name for node in chain[1:]]
        self._turned = attrs["transpose_a"], attrs["transpose_b"]
        self._rectify = names[-1] == "Relu"

    def __call__(
        self, xp: ModuleType, a: Array, b: Array, bias: Array | None = None
    ) -> Array | None:
        result: Array | None = matmul_with_epilogue(xp, a, b, self._turned, bias, self._rectify)
        return result


def _fuse_gradients(program: Program) -> Program:
    """Fuses a product with the row sums of one of its factors into one node.

    Neither may depend on the other, and the inputs of the second must exist before the first runs.
    """
    uses = Uses(program.nodes)
    positions = {id(node): position for position, node in enumerate(program.nodes)}
    replaced: dict[int, list[Node]] = {}
    for sums in program.nodes:
        if not _sums_rows(sums, program, uses):
            continue
        for product in uses.readers[sums.inputs[0]]:
            pair = sorted((product, sums), key=lambda node: positions[id(node)])
            if not _sums_factor(product, sums) or id(product) in replaced:
                continue
            if any(node.controls or id(node) in uses.awaited_ids for node in pair):
                continue
            results = [uses.producer[slot] for slot in pair[1].inputs if slot in uses.producer]
            late_nodes = [node for node in results if positions[id(node)] >= positions[id(pair[0])]]
            if any(node.kind != "const" for node in late_nodes):
                continue
            gradients = ProductAndSums(product, sums)
            inputs, outputs = (*product.inputs, *sums.inputs[1:]), (*product.outputs, *sums.outputs)
            fused = fused_node([product, sums], inputs, outputs, gradients)
            replaced.update({id(pair[0]): [fused], id(pair[1]): []})
            if late_nodes:  # axes, which move to the front
                replaced.update((id(node), []) for node in late_nodes)
                replaced[-1] = [*replaced.get(-1, ()), *late_nodes]
            break
    if replaced:
        nodes = [new for node in program.nodes for new in replaced.get(id(node), [node])]
        program.nodes = [*dict.fromkeys(replaced.get(-1, ())), *nodes]
    return program


def _sums_rows(node: Node, program: Program, uses: Uses) -> bool:
    """Whether a node sums the rows of a matrix, or of an array with channels last."""
    if node.kind != "op":
        return False
    if node.opdef.name == "BiasAddGrad":
        return bool(node.attrs["data_format"] != "NCHW")
    if node.opdef.name != "Sum" or node.attrs["keep_dims"]:
        return False
    axes, dims = uses.producer.get(node.inputs[1]), program.slots[node.inputs[0]].dims
    if axes is None or axes.kind != "const" or dims is None or len(dims) != 2:
        return False
    return np.ravel(axes.constant).tolist() in ([0], [-2])


def _sums_factor(product: Node, sums: Node) -> bool:
    """Whether `product` sums over the rows of the matrix that `sums` reduces."""
    if not _is_product(product) or not product.attrs["transpose_a"]:
        return False
    if (product.guard, product.device) != (sums.guard, sums.device):
        return False
    first = product.inputs[0] == sums.inputs[0]
    return first or not product.attrs["transpose_b"]


class ProductAndSums:
    """Evaluates a product and row sums: `pair(xp, a, b)` returns both, or None to fall back to the nodes.

    The axes of a Sum, passed after the factors, are known.
    """

    def __init__(self, product: Node, sums: Node):
        self._transpose_b = product.attrs["transpose_b"]
        self._sums_first = product.inputs[0] == sums.inputs[0]

    def __call__(
        self, xp: ModuleType, a: Array, b: Array, *axes: Array
    ) -> tuple[Array, Array] | None:
        return matmul_and_column_sums(xp, a, b, self._transpose_b, self._sums_first)
