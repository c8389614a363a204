"""load_ahead: compiles the kernels of a new plan in parallel, ahead of use.

Ops, dtypes and memory spaces determine most kernels; the rest are compiled at first use.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from tfmini._src.compiler.program.program import Node, Program
from tfmini._src.devices.cuda.device import select_gpus
from tfmini._src.devices.cuda.kernel_sources import load_ahead as load
from tfmini._src.devices.cuda.launch import FLOATS, INDEX_TYPES, NUMBERS, REALS
from tfmini._src.devices.cuda.passes.fuse_gpu_layers import (
    NormalizationChain,
    RectifiedNormalizationGradient,
)
from tfmini._src.devices.cuda.passes.fused_kernels import RectifiedBias
from tfmini._src.devices.cuda.passes.lay_out_filters import TransposedFilters

# By op: file, kernel with dtypes of some inputs, and the numbers of these inputs.
_KERNELS: dict[str, tuple[str, str, tuple[int, ...]]] = {
    "AvgPool": ("pooling", "average_pooled_{}", (0,)),
    "AvgPoolGrad": ("pooling", "average_gradient_{}", (1,)),
    "BiasAdd": ("biases", "bias_add_{}", (0,)),
    "BiasAddGrad": ("reductions", "column_sums_{}", (0,)),
    "LogSoftmax": ("softmax", "log_softmax_{}", (0,)),
    "MaxPool": ("pooling", "max_pooled_{}", (0,)),
    "MaxPoolGrad": ("pooling", "max_gradient_apart_{}", (0,)),
    "ReluGrad": ("biases", "relu_gradient_{}", (0,)),
    "Softmax": ("softmax", "softmax_{}", (0,)),
    "SoftmaxCrossEntropyWithLogits": ("softmax", "cross_entropy_{}", (0,)),
    "SparseSoftmaxCrossEntropyWithLogits": ("softmax", "sparse_cross_entropy_{}_{}", (0, 1)),
}
_RANDOM_KERNELS = {
    "RandomUniform": "uniform_{}",
    "RandomStandardNormal": "normal_{}",
    "TruncatedNormal": "truncated_normal_{}",
}
_NORM_KERNELS = {True: ("batch_moments", "batch_normalize"), False: ("normalize_by",)}
_NORM_GRADIENT_KERNELS = ("batch_gradient_sums", "batch_gradients")
_STAGING_KERNELS = (("staging", "stage"), ("staging", "deliver"))
_KERNEL_SUFFIXES = {**NUMBERS, **INDEX_TYPES}
# Dtypes by file, if different.
_SUFFIXES_BY_FILE = {
    "biases": {**NUMBERS, **REALS},
    "pooling": REALS,
    "reductions": {**NUMBERS, **REALS},
}


def load_ahead(program: Program, captures: bool) -> None:
    """Compiles the kernels of a plan; `captures` tells whether repeated steps are captured as graphs."""
    for name, gpu in select_gpus(program.devices).items():
        nodes = [node for node in program.all_nodes() if node.device == name]
        expected = [pair for node in nodes for pair in _expected_kernels(node, program)]
        if captures and expected:
            expected += _STAGING_KERNELS
        load(gpu.xp, gpu.ordinal, expected)


def _expected_kernels(node: Node, program: Program) -> Iterator[tuple[str, str]]:
    types = _types(node, program)
    if node.kind == "fused":
        group: Any = node.fused.evaluate
        if hasattr(group, "likely_source"):
            on_device = [s in program.memory for s in node.inputs]
            yield group.likely_source(on_device), group.kernel
        elif isinstance(group, RectifiedBias):
            yield from _op_kernels(node.members[0], types)
        elif isinstance(group, TransposedFilters):
            yield "filters", f"turn_{program.slots[node.outputs[0]].dtype.size}"
        elif isinstance(group, NormalizationChain | RectifiedNormalizationGradient):
            yield from _op_kernels(group.node, _types(group.node, program))
    elif node.kind == "updates":
        dtype_name = program.slots[node.updates.parts[0].gradient].dtype.base_dtype.name
        kernel = getattr(node.updates.update, "kernel", None)
        if dtype_name in FLOATS and kernel is not None:
            yield "optimizers", f"{kernel}_{FLOATS[dtype_name]}"
    elif node.kind == "op":
        yield from _op_kernels(node, types)


def _types(node: Node, program: Program) -> list[str]:
    return [program.slots[s].dtype.base_dtype.name for s in node.inputs]


def _op_kernels(node: Node, types: list[str]) -> Iterator[tuple[str, str]]:
    """Yields the kernels of an op with inputs of these types."""
    name = node.opdef.name
    if name in _KERNELS:
        file, kernel, inputs = _KERNELS[name]
        suffixes = _SUFFIXES_BY_FILE.get(file, _KERNEL_SUFFIXES)
        if all(types[n] in suffixes for n in inputs):
            yield file, kernel.format(*(suffixes[types[n]] for n in inputs))
    elif name in _RANDOM_KERNELS:
        dtype_name = node.attrs["dtype"].name
        if dtype_name in FLOATS:
            yield "random_numbers", _RANDOM_KERNELS[name].format(FLOATS[dtype_name])
    elif name.startswith("FusedBatchNorm") and types[0] in REALS and types[0] != "float64":
        trained = bool(node.attrs["is_training"])
        is_gradient = name.startswith("FusedBatchNormGrad")
        for kernel in _NORM_GRADIENT_KERNELS if is_gradient else _NORM_KERNELS[trained]:
            yield "batch_norm", f"{kernel}_{REALS[types[0]]}"
