"""Kernels for groups of nodes fused on a GPU."""

from __future__ import annotations

from collections.abc import Sequence
from types import ModuleType
from typing import Any

import numpy as np

from tfmini._src.base import dtypes
from tfmini._src.compiler.fusion.elementwise_groups import group_ufuncs
from tfmini._src.compiler.program.program import BlockStep, Node
from tfmini._src.devices.arrays import Array
from tfmini._src.devices.cuda.elementwise import gpu_formula
from tfmini._src.devices.cuda.fusion import Float16Operands, FusedKernel
from tfmini._src.devices.cuda.reductions import bias_add


class GroupKernel:
    """Evaluates a group: `group(xp, *inputs)` returns the result, a tuple of several, or None for unsuitable shapes.

    Args:
      group: the nodes, in order.
      inputs: the slots that the group reads.
      results: the slots read by other nodes, all of one shape.
      dtype: the numpy dtype of all inputs and results except `halves`.
      full_inputs: the indices of the inputs that are arrays with the shape of the results.
      broadcast: the indices of array inputs that broadcast to this shape; other inputs are scalars.
      dims: the known dims of this shape; all dims if no input has this shape.
    """

    kernel = "fused"

    def __init__(
        self,
        group: Sequence[Node],
        inputs: Sequence[int],
        results: Sequence[int],
        dtype: type,
        full_inputs: Sequence[int],
        broadcast: Sequence[int],
        dims: tuple[int | None, ...] | None,
        halves: Float16Operands,
    ):
        constants, ufuncs, values = group_ufuncs(
            group, [gpu_formula(node) for node in group], inputs
        )
        count = len(inputs) + len(constants)
        location = {value: ("input", value) for value in range(count)}
        location.update({ufunc.makes: ("buffer", i) for i, ufunc in enumerate(ufuncs)})
        location.update({values[slot]: ("result", i) for i, slot in enumerate(results)})
        steps = [
            BlockStep(
                getattr(np, ufunc.name),
                tuple(location[value] for value in ufunc.reads),
                location[ufunc.makes],
            )
            for ufunc in ufuncs
        ]
        self._kernel = FusedKernel(steps, dtype, full_inputs, broadcast, halves)
        self._full_inputs = tuple(full_inputs)
        self._dims = dims
        self._constants = constants

    def __call__(self, xp: ModuleType, *inputs: Array) -> Any:
        shape: Any = inputs[self._full_inputs[0]].shape if self._full_inputs else self._dims
        values: tuple[Any, ...] = (*inputs, *self._constants)
        launch = self._kernel.launch_for(xp, values, shape)
        return None if launch is None else self._kernel.run(xp, launch, values)

    def likely_source(self, on_device: Sequence[bool]) -> str:
        """Returns the CUDA C++ for contiguous inputs; the flags select inputs on the GPU."""
        return self._kernel.likely_source([*on_device, *(False for _ in self._constants)])


class RectifiedBias:
    """Evaluates Relu(BiasAdd(value, bias)): `group(xp, value, bias)`, or None if their shapes do not fit."""

    def __init__(self, node: Node):
        self._channels_first = node.attrs.get("data_format") == "NCHW"

    def __call__(self, xp: ModuleType, value: Array, bias: Array) -> Array | None:
        rank = value.ndim
        if not 2 + self._channels_first <= rank <= 5 or bias.ndim != 1:
            return None
        if value.shape[1 if self._channels_first else -1] != bias.size:
            return None
        result: Array = bias_add(xp, value, bias, self._channels_first, rectify=True)
        return result

    @staticmethod
    def begins(node: Node) -> bool:
        """Whether the node is a BiasAdd that may start the chain."""
        floats = (dtypes.float16, dtypes.float32, dtypes.float64)
        names = ("BiasAdd", "BiasAddV1")
        return node.kind == "op" and node.opdef.name in names and node.attrs["T"] in floats
