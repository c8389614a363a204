"""Axis orders of convolution and dense kernels in TensorFlow and PyTorch.

| kernel | TensorFlow | PyTorch |
| --- | --- | --- |
| dense | [in, out] | [out, in] |
| convolution | [..., in, out] | [out, in, ...] |
| transposed convolution | [..., out, in] | [in, out, ...] |
| depthwise convolution | [rows, columns, in, multiplier] | [in * multiplier, 1, rows, columns] |
"""

from __future__ import annotations

import re
from dataclasses import dataclass

import numpy as np

from tfmini._src.base import proto

_DENSE, _CONVOLUTION, _DEPTHWISE = "dense", "convolution", "depthwise"

# Ops whose second input is a kernel.
_OPS = {
    "MatMul": _DENSE,
    "Conv2D": _CONVOLUTION,
    "Conv3D": _CONVOLUTION,
    "Conv2DBackpropInput": _CONVOLUTION,
    "Conv3DBackpropInputV2": _CONVOLUTION,
    "DepthwiseConv2dNative": _DEPTHWISE,
}
_VARIABLES = ("Variable", "VariableV2", "VarHandleOp")
# Ops between a variable and its product; a 1-D convolution expands its kernel.
_PASS_THROUGH_OPS = ("Identity", "ReadVariableOp", "Enter", "RefEnter", "Cast", "ExpandDims")

_OBJECT = "/.ATTRIBUTES/VARIABLE_VALUE"
_NAMES = re.compile(
    r"(?:^|/)(depthwise_)?(?:(?:pointwise_|recurrent_)?(?:kernel|weights))(?:_\d+)?$"
)


@dataclass(frozen=True)
class Transposition:
    """Axis permutation of an array, with its original and its new shape."""

    axes: tuple[int, ...]
    shape: tuple[int, ...]
    result: tuple[int, ...]

    def permute(self, array: np.ndarray) -> np.ndarray:
        """Returns the permuted array."""
        return array.transpose(self.axes).reshape(self.result)

    def undone(self, array: np.ndarray) -> np.ndarray:
        """Returns the original array."""
        transposed_shape = [self.shape[axis] for axis in self.axes]
        return array.reshape(transposed_shape).transpose(np.argsort(self.axes))


def torch_layouts(
    shapes: dict[str, tuple[int, ...]], graph_def: proto.GraphDef | None
) -> dict[str, Transposition]:
    """Returns PyTorch's layouts of the kernels among the arrays.

    Kernels are identified by the graph, otherwise by name (`kernel`, `weights`). An array of the same shape below a
    kernel's name, e.g. an optimizer slot, gets the kernel's layout.
    """
    variables, uses = _uses(graph_def) if graph_def is not None else (set(), {})
    layouts = {}
    for name, shape in shapes.items():
        use = uses.get(name) if name in variables else _kind_by_name(name)
        if use is not None and (way := _transposition(use, shape)) is not None:
            layouts[name] = way
    for name, shape in shapes.items():
        parent = name
        while name not in layouts and "/" in parent:
            parent = parent.rpartition("/")[0]
            if parent in layouts and layouts[parent].shape == shape:
                layouts[name] = layouts[parent]
    return layouts


def _transposition(use: str, shape: tuple[int, ...]) -> Transposition | None:
    rank = len(shape)
    axes: tuple[int, ...]
    result: tuple[int, ...]
    if use == _DENSE and rank == 2:
        axes, result = (1, 0), shape[::-1]
    elif use == _CONVOLUTION and rank in (2, 3, 4, 5):  # for rank 2, recognized only by its name
        axes = (rank - 1, rank - 2, *range(rank - 2))
        result = tuple(shape[axis] for axis in axes)
    elif use == _DEPTHWISE and rank == 4:
        axes, result = (2, 3, 0, 1), (shape[2] * shape[3], 1, *shape[:2])
    else:
        return None
    return Transposition(axes, shape, result)


def _kind_by_name(name: str) -> str | None:
    matched = _NAMES.search(name.removesuffix(_OBJECT))
    if matched is None:
        return None
    return _DEPTHWISE if matched[1] else _CONVOLUTION


def _uses(graph_def: proto.GraphDef) -> tuple[set[str], dict[str, str]]:
    """Returns a graph's variables, and how each kernel is used by forward products."""
    nodes = {node.name: node for node in graph_def.node}
    uses: dict[str, str] = {}
    for node in graph_def.node:
        use = _OPS.get(node.op)
        if use is None or node.attr["transpose_b"].b or "_grad/" in node.name:
            continue
        source = nodes.get(_node_name(node.input[1]))
        while source is not None and source.op in _PASS_THROUGH_OPS:
            source = nodes.get(_node_name(source.input[0]))
        if source is not None and source.op in _VARIABLES:
            uses[source.name] = use
    return {node.name for node in graph_def.node if node.op in _VARIABLES}, uses


def _node_name(tensor: str) -> str:
    return tensor.partition(":")[0]
