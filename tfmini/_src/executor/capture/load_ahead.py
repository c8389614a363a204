"""load_ahead: the kernels that a plan is going to want are compiled side by side as soon as it is made.

What they are follows from ops, dtypes and where values lie, mostly; what is not foreseen is compiled when it is used.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from tfmini._src.compiler.program.program import Node, Program
from tfmini._src.devices.gpu.kernel_sources import load_ahead as load
from tfmini._src.devices.gpu.launch import NUMBERS, PLACES

# By op: its file, its kernel with the types of its inputs, and the numbers of these.
_KERNELS: dict[str, tuple[str, str, tuple[int, ...]]] = {
    "BiasAdd": ("biases", "bias_add_{}", (0,)),
    "BiasAddGrad": ("reductions", "column_sums_{}", (0,)),
    "Softmax": ("softmax", "softmax_{}", (0,)),
    "LogSoftmax": ("softmax", "log_softmax_{}", (0,)),
    "SoftmaxCrossEntropyWithLogits": ("softmax", "cross_entropy_{}", (0,)),
    "SparseSoftmaxCrossEntropyWithLogits": ("softmax", "sparse_cross_entropy_{}_{}", (0, 1)),
}
_STAGING = (("staging", "stage"), ("staging", "deliver"))
_TYPES = {**NUMBERS, **PLACES}


def load_ahead(program: Program, captures: bool) -> None:
    """Compiles them; `captures`: whether graphs are made of what repeats."""
    for name, gpu in program.gpus.items():
        nodes = [node for node in program.all_nodes() if node.device == name]
        wanted = [pair for node in nodes for pair in _wanted(node, program)]
        if captures and wanted:
            wanted += _STAGING
        load(gpu.xp, gpu.ordinal, wanted)


def _wanted(node: Node, program: Program) -> Iterator[tuple[str, str]]:
    if node.kind == "fused":
        text = getattr(node.fused.evaluate, "likely_text", None)
        if text is not None:
            on_device = [s in program.memory for s in node.inputs]
            yield text(on_device), "fused"
    elif node.kind == "op" and node.opdef.name in _KERNELS:
        file, kernel, inputs = _KERNELS[node.opdef.name]
        types: list[Any] = [program.slots[node.inputs[n]].dtype.base_dtype.name for n in inputs]
        if all(name in _TYPES for name in types):
            yield file, kernel.format(*(_TYPES[name] for name in types))
