"""fuse_gpu_layers: fuses a residual addition and ReLU into the two launches of batch normalization on a GPU.

The gradient of a ReLU that follows is fused into the gradient of the batch normalization in the same way.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from types import ModuleType
from typing import Any

from tfmini._src.base import dtypes
from tfmini._src.base.errors import OpError
from tfmini._src.compiler.fusion.epilogues import FusionRule, fuse_chains, is_activation
from tfmini._src.compiler.program.program import Node, Program
from tfmini._src.devices.arrays import Array
from tfmini._src.devices.cuda.passes.fuse_gpu import is_on_gpu
from tfmini._src.ops.nn.fused_batch_norm import compute_on_gpu, gradients_of_rectified

_VERSIONS = ("", "V2", "V3")
_NORMALIZATIONS = frozenset(f"FusedBatchNorm{version}" for version in _VERSIONS)
_GRADIENTS = frozenset(f"FusedBatchNormGrad{version}" for version in _VERSIONS)
_ATTRS = ("epsilon", "data_format", "is_training")


def fuse_gpu_layers(program: Program) -> Program:
    """Replaces each chain by one node of kind "fused" at the position of its last node; returns the program."""
    return fuse_chains(program, _rules, lambda chain: _KERNELS[chain[0].opdef.name](chain))


def _rules(node: Node) -> Sequence[FusionRule]:
    if node.kind != "op" or not is_on_gpu(node) or node.attrs.get("T") not in _TYPES:
        return ()
    return _FOLLOWS.get(node.opdef.name, ())


class NormalizationChain:
    """Evaluates a normalization and its epilogue: `chain(xp, x, scale, offset, mean, variance)`, plus any residual.

    Returns None to fall back to the nodes. node: the normalization.
    """

    def __init__(self, chain: list[Node]):
        self.node = chain[0]
        self._attrs = {name: self.node.attrs[name] for name in _ATTRS}
        self._outputs = len(self.node.outputs)
        self._inputs = len(self.node.inputs)
        self._rectify = chain[-1].opdef.name == "Relu"

    def __call__(self, xp: ModuleType, *inputs: Array) -> list[Array] | None:
        node_inputs, other_inputs = inputs[: self._inputs], inputs[self._inputs :]
        other = other_inputs[0] if other_inputs else None
        try:
            return compute_on_gpu(xp, self._outputs, self._attrs, node_inputs, other, self._rectify)
        except OpError:  # the op reports it
            return None


class RectifiedNormalizationGradient:
    """Evaluates the gradients of a normalization and the ReLU after it: `chain(xp, grad, result, x, scale ...)`.

    Returns None to fall back to the nodes. node: the gradient of the normalization.
    """

    def __init__(self, chain: list[Node]):
        self.node = chain[-1]
        self._attrs = {name: self.node.attrs[name] for name in _ATTRS}

    def __call__(
        self, xp: ModuleType, grad: Array, result: Array, *inputs: Array
    ) -> tuple[Array, ...] | None:
        try:
            return gradients_of_rectified(xp, grad, result, inputs, self._attrs)
        except OpError:  # the op reports it
            return None


def _is_sum(node: Node, chain: list[Node], program: Program) -> bool:
    """Whether a node adds a value of the same shape to the normalization."""
    if node.opdef.name not in ("Add", "AddV2"):
        return False
    dims, other = (program.slots[slot].dims for slot in node.inputs)
    return dims is not None and dims == other


def _is_gradient_before(node: Node, chain: list[Node], program: Program) -> bool:
    """Whether a node propagates the gradient of the ReLU back through a normalization."""
    return node.opdef.name in _GRADIENTS and node.inputs[0] == chain[-1].outputs[0]


_TYPES = (dtypes.float16, dtypes.float32)
_FOLLOWS: dict[str, Sequence[FusionRule]] = {
    "ReluGrad": (_is_gradient_before,),
    **dict.fromkeys(_NORMALIZATIONS, (_is_sum, is_activation({"Relu"}))),
}
_KERNELS: dict[str, Callable[[list[Node]], Callable[..., Any]]] = {
    "ReluGrad": RectifiedNormalizationGradient,
    **dict.fromkeys(_NORMALIZATIONS, NormalizationChain),
}
