"""Recurrent networks computed by cuDNN: forward, and backward for inputs and parameters.

A step of a layer, with matrix W for its inputs, R for its state, and a bias for each:

    rnn_tanh, rnn_relu   h' = f(W x + R h + b_W + b_R)
    lstm                 i, f, o = sigmoid(...), g = tanh(...), all of W x + R h + b_W + b_R
                         c' = f c + i g,  h' = o tanh(c')        (P h' if the state is projected)
    gru                  r, u = sigmoid(W x + R h + b_W + b_R)
                         n = tanh(W x + b_W + r (R h + b_R)),  h' = (1 - u) n + u h

The formulas follow NVIDIA's reference for `cudnnRNNForward`. Half-precision sums accumulate in float32;
float32 products use TF32 only with `TFMINI_TF32=1`.
"""

from __future__ import annotations

import ctypes
from dataclasses import dataclass
from typing import Any

import numpy as np

from tfmini._src.devices.cuda import tf32
from tfmini._src.devices.cuda.cudnn.descriptors import DATA_TYPES, Descriptor, sequences, tensor
from tfmini._src.devices.cuda.cudnn.library import Cudnn
from tfmini._src.devices.cuda.cudnn.weight_spaces import WeightSpace

_MODES = {"rnn_relu": 0, "rnn_tanh": 1, "lstm": 2, "gru": 3}  # cudnnRNNMode_t
_STANDARD = 0  # CUDNN_RNN_ALGO_STANDARD
_TWO_BIASES = 2  # CUDNN_RNN_DOUBLE_BIAS
_PADDED_IO = 1  # CUDNN_RNN_PADDED_IO_ENABLED
_ADD = 0  # CUDNN_WGRAD_MODE_ADD, the only mode
_DEFAULT_MATH, _TENSOR_OPS, _FMA = 0, 1, 3  # cudnnMathType_t


@dataclass(frozen=True)
class NetSettings:
    """The settings of a network, independent of its batch.

    mode: "rnn_relu", "rnn_tanh", "lstm" or "gru".
    skips_input: whether the first layer adds its inputs to its gates directly.
    projected: the size of an LSTM's projected state, or 0.
    dtype: dtype of inputs and parameters: "float16", "float32" or "float64".
    dropout: dropout rate of the outputs of all layers except the last, during training.
    """

    mode: str
    layers: int
    units: int
    inputs: int
    bidirectional: bool
    skips_input: bool
    projected: int
    dtype: str
    dropout: float
    seed: int

    @property
    def directions(self) -> int:
        return 2 if self.bidirectional else 1

    @property
    def outputs(self) -> int:
        """The state size of each direction."""
        return self.projected or self.units


@dataclass(frozen=True)
class NetInputs:
    """The inputs of a network, on the GPU.

    x: [time, batch, inputs], or [batch, time, inputs].
    h, c: [layers * directions, batch, size]; c only for an LSTM.
    params: [elements].
    lengths: [batch], int32, on the host.
    """

    x: Any
    h: Any
    c: Any
    params: Any
    lengths: np.ndarray
    time_major: bool


class RecurrentNet:
    """A network on a GPU, created once for each combination of settings."""

    def __init__(self, gpu: Any, cudnn: Cudnn, settings: NetSettings):
        self._gpu = gpu
        self._cudnn = cudnn
        self.settings = settings
        self._dropout, self._dropout_states = _dropout(gpu, cudnn, settings)
        self._descriptor = Descriptor(cudnn, "RNN")
        if settings.dtype == "float32":
            tf32.log_unused_tf32(gpu.physical)
        half, single = settings.dtype == "float16", settings.dtype == "float32"
        math = _DEFAULT_MATH
        if half:
            math = _TENSOR_OPS
        elif single and not tf32.is_on():
            math = _FMA
        fields = (
            _STANDARD,
            _MODES[settings.mode],
            _TWO_BIASES,
            int(settings.bidirectional),
            int(settings.skips_input),
            DATA_TYPES[settings.dtype],
            DATA_TYPES["float32" if half else settings.dtype],
            math,
            settings.inputs,
            settings.units,
            settings.outputs,
            settings.layers,
        )
        cudnn.call_without_handle(
            "cudnnSetRNNDescriptor_v8",
            self._descriptor.value,
            *map(ctypes.c_int, fields),
            self._dropout.value,
            ctypes.c_uint(_PADDED_IO),
        )
        self.weights = WeightSpace(gpu, cudnn, self._descriptor, settings)

    def forward(self, value: NetInputs, training: bool) -> tuple[Any, Any, Any, Any]:
        """Runs the network; returns (y, final h, final c or None, reserve space for `backward` or None).

        y has the layout of x, [time, batch, directions * size], with zeros after the ends of sequences.
        """
        xp, dtype = self._gpu.xp, value.x.dtype
        call = _Call(self._cudnn, self.settings, value)
        workspace, reserve = self._allocate_workspace(call, training)
        reserve_space = xp.empty(-(-reserve.value // dtype.itemsize), dtype) if training else None
        y = xp.empty(call.y_shape, dtype)
        h = xp.empty(value.h.shape, dtype)
        c = None if value.c is None else xp.empty(value.c.shape, dtype)
        self._cudnn.call(
            "cudnnRNNForward",
            self._descriptor.value,
            ctypes.c_int(int(training)),
            _address(self._lengths_on_gpu(value)),
            call.x.value,
            _address(value.x),
            call.y.value,
            _address(y),
            call.h.value,
            _address(value.h),
            _address(h),
            call.c_value,
            _address(value.c),
            _address(c),
            ctypes.c_size_t(self.weights.size),
            _address(value.params),
            ctypes.c_size_t(workspace.nbytes),
            _address(workspace),
            reserve,
            _address(reserve_space),
        )
        return y, h, c, reserve_space

    def backward(
        self, inputs: NetInputs, y: Any, grads: tuple[Any, Any, Any], reserved: Any
    ) -> tuple[Any, Any, Any, Any]:
        """Returns the gradients with respect to x, h, c (None if absent) and the parameters.

        Args:
          inputs: the arguments of `forward`.
          y: its result; `reserved`, its reserve space, is copied because two gradients of one run may read it.
          grads: gradients of y and of the final h and c; None for an absent c.
        """
        xp, dtype = self._gpu.xp, inputs.x.dtype
        call = _Call(self._cudnn, self.settings, inputs)
        workspace, reserve = self._allocate_workspace(call, True)
        reserved = reserved.copy()
        grad_y, grad_h_last, grad_c_last = grads
        grad_x = xp.empty(inputs.x.shape, dtype)
        grad_h = xp.empty(inputs.h.shape, dtype)
        grad_c = None if inputs.c is None else xp.empty(inputs.c.shape, dtype)
        grad_params = xp.zeros(inputs.params.shape, dtype)  # cuDNN accumulates into it
        lengths = _address(self._lengths_on_gpu(inputs))
        spaces = (
            ctypes.c_size_t(workspace.nbytes),
            _address(workspace),
            reserve,
            _address(reserved),
        )
        self._cudnn.call(
            "cudnnRNNBackwardData_v8",
            self._descriptor.value,
            lengths,
            call.y.value,
            _address(y),
            _address(grad_y),
            call.x.value,
            _address(grad_x),
            call.h.value,
            _address(inputs.h),
            _address(grad_h_last),
            _address(grad_h),
            call.c_value,
            _address(inputs.c),
            _address(grad_c_last),
            _address(grad_c),
            ctypes.c_size_t(self.weights.size),
            _address(inputs.params),
            *spaces,
        )
        self._cudnn.call(
            "cudnnRNNBackwardWeights_v8",
            self._descriptor.value,
            ctypes.c_int(_ADD),
            lengths,
            call.x.value,
            _address(inputs.x),
            call.h.value,
            _address(inputs.h),
            call.y.value,
            _address(y),
            ctypes.c_size_t(self.weights.size),
            _address(grad_params),
            *spaces,
        )
        return grad_x, grad_h, grad_c, grad_params

    def _lengths_on_gpu(self, value: NetInputs) -> Any:
        """Returns the lengths on the GPU, where versions before 8.9.1 read them."""
        return self._gpu.fixed(np.ascontiguousarray(value.lengths, np.int32))

    def _allocate_workspace(self, call: _Call, training: bool) -> tuple[Any, ctypes.c_size_t]:
        """Returns a workspace, and the size in bytes of the reserve space for `backward`."""
        work, reserve = ctypes.c_size_t(), ctypes.c_size_t()
        self._cudnn.call(
            "cudnnGetRNNTempSpaceSizes",
            self._descriptor.value,
            ctypes.c_int(int(training)),
            call.x.value,
            ctypes.byref(work),
            ctypes.byref(reserve),
        )
        return self._gpu.xp.empty(work.value, np.uint8), reserve


class _Call:
    """The descriptors of the arrays of one run."""

    def __init__(self, cudnn: Cudnn, settings: NetSettings, value: NetInputs):
        dtype = value.x.dtype
        self.y_shape = (*value.x.shape[:2], settings.directions * settings.outputs)
        self.x = sequences(cudnn, dtype, value.x.shape, value.lengths, value.time_major)
        self.y = sequences(cudnn, dtype, self.y_shape, value.lengths, value.time_major)
        self.h = tensor(cudnn, dtype, value.h.shape)
        self.c = None if value.c is None else tensor(cudnn, dtype, value.c.shape)

    @property
    def c_value(self) -> ctypes.c_void_p:
        return ctypes.c_void_p() if self.c is None else self.c.value


def _dropout(gpu: Any, cudnn: Cudnn, settings: NetSettings) -> tuple[Descriptor, Any]:
    """Returns the dropout descriptor and its generator states, which persist between steps."""
    descriptor = Descriptor(cudnn, "Dropout")
    states, size = None, ctypes.c_size_t()
    if settings.dropout:
        cudnn.call("cudnnDropoutGetStatesSize", ctypes.byref(size))
        states = gpu.allocate(size.value)
    cudnn.call_without_handle(
        "cudnnSetDropoutDescriptor",
        descriptor.value,
        cudnn.handle,
        ctypes.c_float(settings.dropout),
        ctypes.c_void_p(states.ptr if states is not None else None),
        size,
        ctypes.c_ulonglong(settings.seed),
    )
    return descriptor, states


def _address(array: Any) -> ctypes.c_void_p:
    return ctypes.c_void_p(None if array is None or not array.nbytes else array.data.ptr)
