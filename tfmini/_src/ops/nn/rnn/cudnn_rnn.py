"""cuDNN RNN ops: CudnnRNN, its second and third versions, and their gradients; GPU only.

Sequences have equal lengths in the first version; the third supports variable lengths, batch-major inputs and
projected states. `reserve_space` passes the state required by the gradient from op to op in an opaque form.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from tfmini._src.base.errors import invalid
from tfmini._src.devices.cuda.cudnn.rnn import NetInputs, RecurrentNet
from tfmini._src.graph.opdef import op, raw
from tfmini._src.graph.shape_inference import Dims
from tfmini._src.ops.nn.rnn.cudnn_settings import (
    ATTRS,
    FLOATS,
    cached_net,
    net_settings,
    restrict_to_gpus,
)

_INPUTS = "input: T, input_h: T, input_c: T, params: T"
_STATES = "output: T, output_h: T, output_c: T"
_GRADS = "output_backprop: T, output_h_backprop: T, output_c_backprop: T"
_INPUT_GRADS = "input_backprop: T, input_h_backprop: T, input_c_backprop: T, params_backprop: T"
_LENGTHS = "sequence_lengths: int32"
_SPACE = "reserve_space: T"
_HOST = "host_reserved: int8"
_DEFAULT_ALGORITHM = -1

_BASE: dict[str, Any] = {"T": FLOATS, **ATTRS}
_TRAIN: dict[str, Any] = {"is_training": True}
_NAMES = tuple(ATTRS)


def _net_and_inputs(
    gpu: Any, inputs: tuple, attrs: dict[str, Any],
    lengths: Any = None, time_major: bool = True, num_proj: int = 0,
) -> tuple[RecurrentNet, NetInputs]:  # fmt: skip
    """Returns the net for these operands and its arguments, after checking shapes."""
    x, h, c, params = inputs
    for name, value, rank in (("input", x, 3), ("input_h", h, 3), ("params", params, 1)):
        if value.ndim != rank:
            invalid(f"{name} must have {rank} axes, its shape is {value.shape}")
    is_lstm = attrs["rnn_mode"] == "lstm"
    if is_lstm and c.ndim != 3:
        invalid(f"input_c must have 3 axes, its shape is {c.shape}")
    if not time_major:
        h = h.swapaxes(0, 1)
        c = c.swapaxes(0, 1) if is_lstm else c
    time, batch = x.shape[:2] if time_major else (x.shape[1], x.shape[0])
    both, state_batch, size = h.shape
    directions = 2 if attrs["direction"] == "bidirectional" else 1
    units = c.shape[2] if is_lstm else size
    expected = num_proj or units
    if state_batch != batch or both % directions or size != expected:
        invalid(
            f"input_h must have the shape [layers * {directions}, {batch}, {expected}], got {h.shape}"
        )
    if is_lstm and c.shape[:2] != h.shape[:2]:
        invalid(f"input_c and input_h differ in shape: {c.shape} and {h.shape}")
    lengths = np.full(batch, time, np.int32) if lengths is None else np.asarray(lengths)
    if lengths.shape != (batch,):
        invalid(
            f"sequence_lengths must have one element for each of {batch} sequences, but its shape is {lengths.shape}"
        )
    if batch and not 0 <= lengths.min() <= lengths.max() <= time:
        invalid(f"sequence_lengths must be between 0 and {time}, the number of input steps")
    settings = net_settings(
        *(attrs[name] for name in _NAMES),
        layers=both // directions,
        units=units,
        inputs=x.shape[2],
        projected=num_proj,
        dtype=x.dtype,
    )
    net = cached_net(gpu, settings)
    if params.size != net.weights.elements:
        invalid(f"params must have {net.weights.elements} elements, has {params.size}")
    row_major = gpu.xp.ascontiguousarray
    net_inputs = NetInputs(
        row_major(x),
        row_major(h),
        row_major(c) if is_lstm else None,
        row_major(params),
        lengths,
        time_major,
    )
    return net, net_inputs


def _states_out(gpu: Any, value: Any, time_major: bool) -> Any:
    return value if time_major else gpu.xp.ascontiguousarray(value.swapaxes(0, 1))


def _forward(
    gpu: Any, inputs: tuple, attrs: dict[str, Any], is_training: bool, *extra_args: Any
) -> tuple[Any, Any, Any, Any]:
    net, net_inputs = _net_and_inputs(gpu, inputs, attrs, *extra_args)
    y, h, c, reserve = net.forward(net_inputs, is_training)
    empty = gpu.xp.zeros((), net_inputs.x.dtype)
    return (
        y,
        _states_out(gpu, h, net_inputs.time_major),
        empty if c is None else _states_out(gpu, c, net_inputs.time_major),
        empty if reserve is None else reserve,
    )


def _backward(
    gpu: Any, inputs: tuple, attrs: dict[str, Any], results: tuple, *extra_args: Any
) -> tuple:
    net, net_inputs = _net_and_inputs(gpu, inputs, attrs, *extra_args)
    y, _, _, grad_y, grad_h, grad_c, reserve = results
    row_major = gpu.xp.ascontiguousarray
    if net_inputs.c is None:
        grads = (row_major(grad_y), _states_in(gpu, grad_h, net_inputs), None)
    else:
        grads = (
            row_major(grad_y),
            _states_in(gpu, grad_h, net_inputs),
            _states_in(gpu, grad_c, net_inputs),
        )
    if grad_y.shape != y.shape or grads[1].shape != net_inputs.h.shape:
        invalid(
            f"The gradients of outputs do not fit: {grad_y.shape} of {y.shape}, {grads[1].shape} of "
            f"{net_inputs.h.shape}"
        )
    grad_x, grad_h, grad_c, grad_params = net.backward(
        net_inputs, row_major(y), grads, row_major(reserve)
    )
    c = inputs[2]
    return (
        grad_x,
        _states_out(gpu, grad_h, net_inputs.time_major),
        gpu.xp.zeros_like(c) if grad_c is None else _states_out(gpu, grad_c, net_inputs.time_major),
        grad_params,
    )


def _states_in(gpu: Any, value: Any, argument: NetInputs) -> Any:
    return gpu.xp.ascontiguousarray(value if argument.time_major else value.swapaxes(0, 1))


def _host_reserved(is_training: bool) -> np.ndarray:
    """Returns the value of `host_reserved`, which selects the default algorithm without a search."""
    return np.array([_DEFAULT_ALGORITHM, 0], np.int8) if is_training else np.zeros((), np.int8)


# The first version ------------------------------------------------------------------------------------


@op(
    "CudnnRNN",
    f"{_INPUTS} -> {_STATES}, {_SPACE}",
    device_state=True,
    stateful=True,
    **_BASE,
    **_TRAIN,
)
def cudnn_rnn(
    gpu, x, h, c, params, *, is_training, rnn_mode, input_mode, direction, dropout, seed, seed2
):
    attrs = dict(zip(_NAMES, (rnn_mode, input_mode, direction, dropout, seed, seed2)))
    return _forward(gpu, (x, h, c, params), attrs, is_training)


@op(
    "CudnnRNNBackprop",
    f"{_INPUTS}, {_STATES}, {_GRADS}, {_SPACE} -> {_INPUT_GRADS}",
    device_state=True,
    stateful=True,
    **_BASE,
)
def cudnn_rnn_backprop(
    gpu, x, h, c, params, *results, rnn_mode, input_mode, direction, dropout, seed, seed2
):
    attrs = dict(zip(_NAMES, (rnn_mode, input_mode, direction, dropout, seed, seed2)))
    return _backward(gpu, (x, h, c, params), attrs, results)


# Version 2, which also returns the chosen algorithm --------------------------------------------------


@op(
    "CudnnRNNV2",
    f"{_INPUTS} -> {_STATES}, {_SPACE}, {_HOST}",
    device_state=True,
    stateful=True,
    **_BASE,
    **_TRAIN,
)
def cudnn_rnn_v2(
    gpu, x, h, c, params, *, is_training, rnn_mode, input_mode, direction, dropout, seed, seed2
):
    attrs = dict(zip(_NAMES, (rnn_mode, input_mode, direction, dropout, seed, seed2)))
    return *_forward(gpu, (x, h, c, params), attrs, is_training), _host_reserved(is_training)


@op(
    "CudnnRNNBackpropV2",
    f"{_INPUTS}, {_STATES}, {_GRADS}, {_SPACE}, {_HOST} -> {_INPUT_GRADS}",
    device_state=True,
    stateful=True,
    **_BASE,
)
def cudnn_rnn_backprop_v2(
    gpu, x, h, c, params, *results, rnn_mode, input_mode, direction, dropout, seed, seed2
):
    attrs = dict(zip(_NAMES, (rnn_mode, input_mode, direction, dropout, seed, seed2)))
    return _backward(gpu, (x, h, c, params), attrs, results[:-1])


# The third, with lengths ------------------------------------------------------------------------------


@op(
    "CudnnRNNV3",
    f"{_INPUTS}, {_LENGTHS} -> {_STATES}, {_SPACE}, {_HOST}",
    device_state=True,
    stateful=True,
    **_BASE,
    num_proj=0,
    **_TRAIN,
    time_major=True,
)
def cudnn_rnn_v3(
    gpu, x, h, c, params, lengths, *, is_training, time_major, num_proj,
    rnn_mode, input_mode, direction, dropout, seed, seed2,
):  # fmt: skip
    attrs = dict(zip(_NAMES, (rnn_mode, input_mode, direction, dropout, seed, seed2)))
    results = _forward(gpu, (x, h, c, params), attrs, is_training, lengths, time_major, num_proj)
    return *results, _host_reserved(is_training)


@op(
    "CudnnRNNBackpropV3",
    f"{_INPUTS}, {_LENGTHS}, {_STATES}, {_GRADS}, {_SPACE}, {_HOST} -> {_INPUT_GRADS}",
    device_state=True,
    stateful=True,
    **_BASE,
    num_proj=0,
    time_major=True,
)
def cudnn_rnn_backprop_v3(
    gpu, x, h, c, params, lengths, *results, time_major, num_proj,
    rnn_mode, input_mode, direction, dropout, seed, seed2,
):  # fmt: skip
    attrs = dict(zip(_NAMES, (rnn_mode, input_mode, direction, dropout, seed, seed2)))
    return _backward(gpu, (x, h, c, params), attrs, results[:-1], lengths, time_major, num_proj)


# Shapes and gradients ---------------------------------------------------------------------------------


def _dimension_size(dims: Dims, axis: int) -> int | None:
    return None if dims is None or len(dims) <= axis else dims[axis]


def _static_dims(op: Any) -> list[Dims]:
    """Returns the static dims that TensorFlow infers from the first two axes of x and the state size."""
    x, h, c = (tensor._dims for tensor in op.inputs[:3])
    size = _dimension_size(h, 2)
    if size is not None and op.attrs["direction"] == "bidirectional":
        size *= 2
    c_input = () if op.attrs["rnn_mode"] != "lstm" else c if op.type == "CudnnRNNV3" else h
    opaque_dims = [None] * (len(op.outputs) - 3)
    return [(_dimension_size(x, 0), _dimension_size(x, 1), size), h, c_input, *opaque_dims]


def _gradient(backprop: Callable, *extra: str) -> Callable:
    def gradient(op: Any, *grads: Any) -> tuple:
        if not op.attrs["is_training"]:
            raise ValueError(f"To use {op.type} in gradients, is_training must be set to True.")
        attrs = {name: op.attrs[name] for name in (*_NAMES, *extra)}
        results = backprop(*op.inputs, *op.outputs[:3], *grads[:3], *op.outputs[3:], **attrs)
        return *results, *[None] * (len(op.inputs) - 4)

    return gradient


for _op, _backprop, _extra in (
    (cudnn_rnn, cudnn_rnn_backprop, ()),
    (cudnn_rnn_v2, cudnn_rnn_backprop_v2, ()),
    (cudnn_rnn_v3, cudnn_rnn_backprop_v3, ("time_major", "num_proj")),
):
    _op.infer(_static_dims)
    _op.gradient(_gradient(getattr(raw, _backprop.name), *_extra))
    _backprop.infer(lambda op: [tensor._dims for tensor in op.inputs[:4]])
    restrict_to_gpus(_op)
    restrict_to_gpus(_backprop)
