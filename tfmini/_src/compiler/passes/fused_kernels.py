"""Kernels of fused groups of nodes on a GPU.

A recipe writes an op that is no ufunc of numpy as steps of ufuncs: an operand is an input ("x", "y"), the number of
an earlier step, or a constant (a float).
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from tfmini._src.base import dtypes
from tfmini._src.compiler.program.program import BlockStep, Node
from tfmini._src.devices.gpu.elementwise import EXPRESSIONS
from tfmini._src.devices.gpu.fusion import FusedKernel
from tfmini._src.devices.gpu.reductions import bias_add
from tfmini._src.devices.numpy.matrix_strides import strides_as_matrix

_MOST_TERMS = 32  # of a sum that one kernel adds

RECIPES: dict[str, tuple[tuple, ...]] = {
    "Relu": (("maximum", "x", 0.0),),
    "ReluGrad": (("fmax", "y", 0.0), ("sign", 0), ("multiply", "x", 1)),
    "Relu6": (("maximum", "x", 0.0), ("minimum", 0, 6.0)),
    "Sigmoid": (("negative", "x"), ("exp", 0), ("add", 1, 1.0), ("reciprocal", 2)),
    "SigmoidGrad": (("subtract", 1.0, "x"), ("multiply", "x", 0), ("multiply", "y", 1)),
    "TanhGrad": (("square", "x"), ("subtract", 1.0, 0), ("multiply", "y", 1)),
    "Elu": (("minimum", "x", 0.0), ("expm1", 0), ("maximum", "x", 0.0), ("add", 1, 2)),
    "EluGrad": (("fmin", "y", 0.0), ("add", 0, 1.0), ("multiply", 1, "x")),
    "Softplus": (("logaddexp", "x", 0.0),),
    "SoftplusGrad": (("negative", "y"), ("exp", 0), ("add", 1, 1.0), ("divide", "x", 2)),
    "Maximum": (("fmax", "x", "y"), ("maximum", "x", 0)),
    "Minimum": (("fmin", "x", "y"), ("minimum", "x", 0)),
    "Pow": (("power", "x", "y"),),
    "Rsqrt": (("sqrt", "x"), ("reciprocal", 0)),
    "SquaredDifference": (("subtract", "x", "y"), ("square", 0)),
}


def recipe_of(node: Node) -> tuple[tuple, ...]:
    """The steps of a node's op on a GPU; none if it does not fuse there."""
    name = node.opdef.name
    if name == "AddN":
        return _sum_of(len(node.inputs))
    if name in RECIPES:
        return RECIPES[name]
    ufunc = node.opdef.ufunc
    return ((ufunc, "x", "y")[: 1 + len(node.inputs)],) if ufunc in EXPRESSIONS else ()


def _sum_of(count: int) -> tuple[tuple, ...]:
    """The steps of a sum; its inputs are written as ("input", i)."""
    if not 1 < count <= _MOST_TERMS:
        return ()
    steps: list[tuple] = [("add", ("input", 0), ("input", 1))]
    steps += [("add", i - 2, ("input", i)) for i in range(2, count)]
    return tuple(steps)


class GroupKernel:
    """Evaluates a group: `group(xp, *inputs)` is the result, or a tuple of several; None where shapes do not suit it.

    Args:
      group: the nodes in order.
      inputs: the slots that they read.
      results: the slots that others read, all of one shape.
      dtype: numpy's, of all inputs and results.
      whole: the numbers of the inputs that are arrays of the results' shape.
      broadcast: those of the inputs that are arrays that broadcast to it; the others are scalars.
      dims: what is known of that shape; all where no input is whole.
    """

    def __init__(
        self,
        group: Sequence[Node],
        inputs: Sequence[int],
        results: Sequence[int],
        dtype: Any,
        whole: Sequence[int],
        broadcast: Sequence[int],
        dims: Any,
    ):
        constants: list[float] = []
        steps: list[BlockStep] = []
        location: dict[int, tuple[str, int]] = {s: ("input", i) for i, s in enumerate(inputs)}
        for node in group:
            slot = node.outputs[0]
            first = len(steps)
            for name, *operands in recipe_of(node):
                sources = []
                for operand in operands:
                    if isinstance(operand, float):
                        if operand not in constants:
                            constants.append(operand)
                        sources.append(("input", len(inputs) + constants.index(operand)))
                    elif isinstance(operand, int):
                        sources.append(("buffer", first + operand))
                    else:
                        number = "xy".index(operand) if isinstance(operand, str) else operand[1]
                        sources.append(location[node.inputs[number]])
                steps.append(BlockStep(getattr(np, name), tuple(sources), ("buffer", len(steps))))
            location[slot] = steps[-1].target
            if slot in results:
                last = steps[-1]
                location[slot] = ("result", results.index(slot))
                steps[-1] = BlockStep(last.ufunc, last.operands, location[slot])
        self._kernel = FusedKernel(steps, dtype, whole, broadcast)
        self._whole = tuple(whole)
        self._broadcast = tuple(broadcast)
        self._dims = dims
        self._constants = constants

    def __call__(self, xp: Any, *inputs: Any) -> Any:
        shape = inputs[self._whole[0]].shape if self._whole else self._dims
        if any(inputs[i].shape != shape for i in self._whole):
            return None
        if any(strides_as_matrix(inputs[i], shape) is None for i in self._broadcast):
            return None
        return self._kernel(xp, *inputs, *self._constants, shape=shape)

    def likely_text(self, on_device: Sequence[bool]) -> str:
        """The CUDA C++ for inputs of which these lie on the GPU, if none has gaps."""
        return self._kernel.likely_text([*on_device, *(False for _ in self._constants)])


class RectifiedBias:
    """Relu(BiasAdd(value, bias)): `group(xp, value, bias)`, or None where their shapes do not fit."""

    def __init__(self, node: Node):
        self._channels_first = node.attrs.get("data_format") == "NCHW"

    def __call__(self, xp: Any, value: Any, bias: Any) -> Any:
        rank = value.ndim
        if not 2 + self._channels_first <= rank <= 5 or bias.ndim != 1:
            return None
        if value.shape[1 if self._channels_first else -1] != bias.size:
            return None
        return bias_add(xp, value, bias, self._channels_first, rectify=True)

    @staticmethod
    def begins(node: Node) -> bool:
        """Whether the node is such a bias."""
        floats = (dtypes.float32, dtypes.float64)
        names = ("BiasAdd", "BiasAddV1")
        return node.kind == "op" and node.opdef.name in names and node.attrs["T"] in floats
