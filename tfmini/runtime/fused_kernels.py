"""What a group of nodes that fuse together runs on a GPU: one kernel.

A recipe writes an op that is no ufunc of numpy as steps of ufuncs: an operand is an input ("x", "y"), the number of
an earlier step, or a constant (a float).
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from tfmini import dtypes
from tfmini.backend.gpu.elementwise import EXPRESSIONS
from tfmini.backend.gpu.fusion import FusedKernel
from tfmini.backend.gpu.reducing import bias_add
from tfmini.runtime.blocks import BlockStep
from tfmini.runtime.program import Node

# A kernel with more inputs than this would have no registers left.
MOST_INPUTS = 32

RECIPES: dict[str, tuple[tuple, ...]] = {
    "Relu": (("maximum", "x", 0.0),),
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
    if not 1 < count <= MOST_INPUTS:
        return ()
    steps: list[tuple] = [("add", ("input", 0), ("input", 1))]
    steps += [("add", i - 2, ("input", i)) for i in range(2, count)]
    return tuple(steps)


class GroupKernel:
    """Evaluates a group: `group(xp, *inputs)`, or None where its arrays are not all of one shape.

    Args:
      group: the nodes in order; the last one's output is the result.
      inputs: the slots that they read.
      dtype: numpy's, of all inputs and the result.
      whole: the numbers of the inputs that are arrays; the others are scalars.
    """

    def __init__(self, group: Sequence[Node], inputs: Sequence[int], dtype: Any, whole: list[int]):
        constants: list[float] = []
        steps: list[BlockStep] = []
        place: dict[int, tuple[str, int]] = {s: ("input", i) for i, s in enumerate(inputs)}
        for node in group:
            first = len(steps)
            for name, *operands in recipe_of(node):
                places = []
                for operand in operands:
                    if isinstance(operand, float):
                        if operand not in constants:
                            constants.append(operand)
                        places.append(("input", len(inputs) + constants.index(operand)))
                    elif isinstance(operand, int):
                        places.append(("buffer", first + operand))
                    else:
                        number = "xy".index(operand) if isinstance(operand, str) else operand[1]
                        places.append(place[node.inputs[number]])
                steps.append(BlockStep(getattr(np, name), tuple(places), ("buffer", len(steps))))
            place[node.outputs[0]] = steps[-1].target
        last = steps[-1]
        steps[-1] = BlockStep(last.ufunc, last.operands, ("result", 0))
        self._kernel = FusedKernel(steps, dtype, whole)
        self._whole = whole
        self._constants = constants

    def __call__(self, xp: Any, *inputs: Any) -> Any:
        shape = inputs[self._whole[0]].shape
        if any(inputs[i].shape != shape for i in self._whole):
            return None
        return self._kernel(xp, *inputs, *self._constants)


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
    def suits(relu: Node, bias: Node) -> bool:
        """Whether the two nodes are such a pair."""
        names = (relu.opdef.name, bias.opdef.name)
        floats = (dtypes.float32, dtypes.float64)
        return names in (("Relu", "BiasAdd"), ("Relu", "BiasAddV1")) and relu.attrs["T"] in floats
