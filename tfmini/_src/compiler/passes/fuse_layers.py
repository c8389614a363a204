"""fuse_layers: fuses a following bias and ReLU into CPU convolutions, their input gradients and batch normalizations.

Max pooling gradients absorb the gradient of the preceding ReLU in the same way: one pass over memory instead of three.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import lru_cache
from typing import Any

import numpy as np

from tfmini._src.base import dtypes
from tfmini._src.base.errors import InvalidArgumentError, OpError
from tfmini._src.compiler.fusion.epilogues import (
    BIASES,
    FusionRule,
    fuse_chains,
    is_activation,
    is_bias,
)
from tfmini._src.compiler.program.program import Node, Program
from tfmini._src.devices.arrays import Array
from tfmini._src.devices.host.native.convolution import Epilogue
from tfmini._src.devices.host.native.library import library
from tfmini._src.devices.numpy.windows import convolution
from tfmini._src.devices.numpy.windows.axes import Axis
from tfmini._src.ops.nn.convolution.conv_windows import ConvWindows, node_windows, window_axes
from tfmini._src.ops.nn.fused_batch_norm import rectify
from tfmini._src.ops.nn.pooling.pool_2d_ops import max_pool_gradient

_MAX_SHAPES = 256
_WINDOWS = ("strides", "dilations", "padding", "explicit_paddings", "data_format")
_POOLING_ATTRS = ("ksize", "strides", "padding", "data_format")


def fuse_layers(program: Program) -> Program:
    """Replaces each chain of nodes with one "fused" node at the position of the last; returns the program."""
    if library() is None:
        return program

    def rules(node: Node) -> Sequence[FusionRule]:
        return _FOLLOWS[node.opdef.name] if _is_fusible(node, program) else ()

    return fuse_chains(program, rules, lambda chain: _KERNELS[chain[0].opdef.name](chain))


def _is_fusible(node: Node, program: Program) -> bool:
    if node.kind != "op" or node.opdef.name not in _FOLLOWS or not program.on_host(node):
        return False
    return node.attrs["T"] is dtypes.float32 and node.attrs["data_format"] == "NHWC"


@lru_cache(maxsize=_MAX_SHAPES)
def _spatial_axes(
    windows: ConvWindows, sizes: tuple[int, ...], kernels: tuple[int, ...]
) -> tuple[Axis, ...] | None:
    """Returns the spatial axes of a convolution; None if the filter exceeds the padded input."""
    try:
        return tuple(window_axes(windows, sizes, kernels))
    except InvalidArgumentError:  # the op reports it
        return None


class ConvolutionChain:
    """Evaluates a chain: `chain(x, filter)`, with the bias if any; None to fall back to the nodes."""

    def __init__(self, chain: list[Node]):
        self._windows = node_windows(*(chain[0].attrs[name] for name in _WINDOWS))
        names = [node.opdef.name for node in chain[1:]]
        self._has_bias = names[0] in BIASES
        self._rectifies = names[-1] == "Relu"

    def _epilogue(self, extras: tuple[Array, ...]) -> Epilogue:
        if self._has_bias:
            return Epilogue(extras[0], self._rectifies)
        return Epilogue(None, self._rectifies, extras[0] if extras else None)

    def _window_axes(self, x: tuple[int, ...], filter: tuple[int, ...]) -> tuple[Axis, ...] | None:
        """Returns the axes for an input and a filter of these shapes; None if they do not match."""
        if not len(x) == len(filter) == 4 or x[3] != filter[2]:
            return None
        return _spatial_axes(self._windows, x[1:3], filter[:2])

    def __call__(self, x: Array, filter: Array, *extras: Array) -> Array | None:
        axes = self._window_axes(x.shape, filter.shape)
        if axes is None:
            return None
        result: Array = convolution.convolve_with_epilogue(x, filter, axes, self._epilogue(extras))
        return result


class InputGradientChain(ConvolutionChain):
    """`ConvolutionChain` for the input gradient: `chain(sizes, filter, grad)`, plus bias or ReluGrad's features."""

    def __call__(self, sizes: Array, filter: Array, *extras: Array) -> Array | None:
        grad, *operands = extras
        shape = tuple(sizes.tolist())
        axes = self._window_axes(shape, filter.shape) if min(shape, default=0) > 0 else None
        if axes is None or grad.shape != (shape[0], *(a.count for a in axes), filter.shape[3]):
            return None
        epilogue = self._epilogue(tuple(operands))
        result: Array = convolution.input_gradient_with_epilogue(filter, grad, axes, epilogue)
        return result


class RectifiedNormalization:
    """Evaluates a batch normalization and the ReLU of its first result: `chain(x, scale, offset, mean, variance)`."""

    def __init__(self, chain: list[Node]):
        self._attrs = {
            name: chain[0].attrs[name] for name in ("epsilon", "data_format", "is_training")
        }
        self._outputs = len(chain[0].outputs)

    def __call__(self, *inputs: Array) -> list[Array] | None:
        try:
            return rectify(self._outputs, self._attrs, *inputs)
        except OpError:  # the op reports it
            return None


class RectifiedPoolingGradient:
    """Evaluates the gradients of a max pooling and of the ReLU before it: `chain(x, pooled, grad, x)`."""

    def __init__(self, chain: list[Node]):
        self._attrs = {name: chain[0].attrs[name] for name in _POOLING_ATTRS}

    def __call__(self, x: Array, pooled: Array, grad: Array, features: Array) -> Array | None:
        try:
            result: Array = max_pool_gradient(np, x, grad, rectified=True, **self._attrs)
        except OpError:  # the op reports it
            return None
        return result


def _is_input_gradient(node: Node, chain: list[Node], program: Program) -> bool:
    """Whether a node is the gradient of the ReLU that produced the pooling input."""
    activation = chain[0].outputs[0], chain[0].inputs[0]
    return node.opdef.name == "ReluGrad" and tuple(node.inputs) == activation


_NORMALIZATIONS = ("FusedBatchNorm", "FusedBatchNormV2", "FusedBatchNormV3")
_FOLLOWS: dict[str, Sequence[FusionRule]] = {
    "Conv2D": (is_bias, is_activation({"Relu"})),
    "Conv2DBackpropInput": (is_bias, is_activation({"Relu", "ReluGrad"})),
    "MaxPoolGrad": (_is_input_gradient,),
    **dict.fromkeys(_NORMALIZATIONS, (is_activation({"Relu"}),)),
}
_KERNELS: dict[str, Callable[[list[Node]], Callable[..., Any]]] = {
    "Conv2D": ConvolutionChain,
    "Conv2DBackpropInput": InputGradientChain,
    "MaxPoolGrad": RectifiedPoolingGradient,
    **dict.fromkeys(_NORMALIZATIONS, RectifiedNormalization),
}
