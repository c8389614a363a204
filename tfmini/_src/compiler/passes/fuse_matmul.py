"""fuse_matmul: fuses a matrix product on a CPU with its bias and activation into one call.

Each thread adds the bias to its part of the product and applies the activation while the part is in cache. A product
followed by a ReLU gradient, which masks its elements, is fused in the same way.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import Any

from tfmini._src.base import dtypes
from tfmini._src.compiler.fusion.epilogues import (
    BIASES,
    FusionRule,
    fuse_chains,
    is_activation,
    is_bias,
)
from tfmini._src.compiler.program.program import Node, Program
from tfmini._src.devices.arrays import Array
from tfmini._src.devices.host.native.matmul import ACTIVATIONS, NO_ACTIVATION, can_finish
from tfmini._src.devices.numpy.blas import product_with_epilogue

# Minimum number of multiplications: below, one call for all takes as long as NumPy's calls for each.
_MIN_MULTIPLICATIONS = 100_000


def fuse_matmul(program: Program) -> Program:
    """Replaces each product and its epilogue with one "fused" node at the position of the last; returns the program."""
    if not can_finish():
        return program
    follows = is_bias, is_activation(ACTIVATIONS)

    def rules(node: Node) -> Sequence[FusionRule]:
        return follows if _is_product(node, program) and not _is_small(node, program) else ()

    return fuse_chains(program, rules, ProductChain)


def _is_product(node: Node, program: Program) -> bool:
    if node.kind != "op" or node.opdef.name != "MatMul" or not program.on_host(node):
        return False
    return node.attrs["T"] in (dtypes.float32, dtypes.float64)


def _is_small(product: Node, program: Program) -> bool:
    """Whether the product is known to be too small for fusion to pay off."""
    a, result = (program.slots[slot].dims for slot in (product.inputs[0], product.outputs[0]))
    if a is None or result is None or len(a) != 2:  # errors about vectors are raised at run time
        return False
    inner = a[0 if product.attrs["transpose_a"] else 1]
    sizes: tuple[Any, ...] = (*result, inner)
    return all(isinstance(size, int) for size in sizes) and math.prod(sizes) < _MIN_MULTIPLICATIONS


class ProductChain:
    """Evaluates a chain: `chain(a, b)`, with the bias or ReluGrad's input; None to fall back to the nodes."""

    def __init__(self, chain: list[Node]):
        attrs = chain[0].attrs
        self._transposes = attrs["transpose_a"], attrs["transpose_b"]
        names = [node.opdef.name for node in chain[1:]]
        self._has_bias = names[0] in BIASES
        self._activation = ACTIVATIONS.get(names[-1], NO_ACTIVATION)

    def __call__(self, a: Array, b: Array, *extra_inputs: Array) -> Array | None:
        if a.ndim != 2 or b.ndim != 2:
            return None
        left, right = a.T if self._transposes[0] else a, b.T if self._transposes[1] else b
        rows, inner = left.shape
        if rows * inner * right.shape[1] < _MIN_MULTIPLICATIONS or inner != len(right):
            return None
        first = extra_inputs[0] if extra_inputs else None
        bias, features = (first, None) if self._has_bias else (None, first)
        result: Array = product_with_epilogue(left, right, bias, self._activation, features)
        return result
