"""cuDNN's descriptors of tensors, filters, convolutions and padded sequences."""

from __future__ import annotations

import ctypes
import weakref
from collections.abc import Sequence
from typing import Any

import numpy as np

from tfmini._src.devices.cuda.cudnn.library import Cudnn

# cudnnDataType_t
DATA_TYPES = {"float32": 0, "float64": 1, "float16": 2}
_TIME_FIRST, _BATCH_FIRST = 0, 2  # CUDNN_RNN_DATA_LAYOUT_{SEQ,BATCH}_MAJOR_UNPACKED
_MAX_AXES = 8  # CUDNN_DIM_MAX
_CHANNELS_FIRST, _CHANNELS_LAST = 0, 1  # CUDNN_TENSOR_NCHW, CUDNN_TENSOR_NHWC
_CROSS_CORRELATION = 1  # cudnnConvolutionMode_t


class Descriptor:
    """One of cuDNN's descriptors, created by cudnnCreate...Descriptor and destroyed when unreferenced."""

    def __init__(self, cudnn: Cudnn, name: str):
        self.value = ctypes.c_void_p()
        cudnn.call_without_handle(f"cudnnCreate{name}Descriptor", ctypes.byref(self.value))
        destroy = getattr(cudnn.library, f"cudnnDestroy{name}Descriptor")
        weakref.finalize(self, destroy, ctypes.c_void_p(self.value.value))


def tensor(cudnn: Cudnn, dtype: np.dtype, shape: Sequence[int]) -> Descriptor:
    """Returns the descriptor of a row-major array with three or more axes."""
    return _strided_descriptor(cudnn, dtype, shape, range(len(shape)))


def images(cudnn: Cudnn, dtype: np.dtype, shape: Sequence[int], channels_first: bool) -> Descriptor:
    """Returns the descriptor of contiguous images of `shape` [batch, channels, sizes ...], in either memory order."""
    spatial_axes = range(2, len(shape))
    return _strided_descriptor(
        cudnn, dtype, shape, (0, 1, *spatial_axes) if channels_first else (0, *spatial_axes, 1)
    )


def filters(
    cudnn: Cudnn, dtype: np.dtype, shape: Sequence[int], channels_first: bool
) -> Descriptor:
    """Returns the descriptor of filters of `shape` [filters, channels, sizes ...], in this order or channels last."""
    descriptor = Descriptor(cudnn, "Filter")
    cudnn.call_without_handle(
        "cudnnSetFilterNdDescriptor",
        descriptor.value,
        ctypes.c_int(DATA_TYPES[dtype.name]),
        ctypes.c_int(_CHANNELS_FIRST if channels_first else _CHANNELS_LAST),
        ctypes.c_int(len(shape)),
        _ints(shape),
    )
    return descriptor


def convolution(
    cudnn: Cudnn,
    dtype: np.dtype,
    pads: Sequence[int],
    strides: Sequence[int],
    dilations: Sequence[int],
    groups: int,
    math: int,
) -> Descriptor:
    """Returns the descriptor of a convolution as in TensorFlow, which does not flip the filter.

    Args:
      dtype: dtype of its sums.
      pads, strides, dilations: one number for each axis along which windows move.
      groups: number of channel groups.
      math: a cudnnMathType_t.
    """
    descriptor = Descriptor(cudnn, "Convolution")
    cudnn.call_without_handle(
        "cudnnSetConvolutionNdDescriptor",
        descriptor.value,
        ctypes.c_int(len(pads)),
        _ints(pads),
        _ints(strides),
        _ints(dilations),
        ctypes.c_int(_CROSS_CORRELATION),
        ctypes.c_int(DATA_TYPES[dtype.name]),
    )
    cudnn.call_without_handle(
        "cudnnSetConvolutionGroupCount", descriptor.value, ctypes.c_int(groups)
    )
    cudnn.call_without_handle("cudnnSetConvolutionMathType", descriptor.value, ctypes.c_int(math))
    return descriptor


def _strided_descriptor(
    cudnn: Cudnn, dtype: np.dtype, shape: Sequence[int], order: Sequence[int]
) -> Descriptor:
    """Returns the descriptor of a gapless array whose axes are in a given memory order, the last one contiguous."""
    descriptor = Descriptor(cudnn, "Tensor")
    strides, step = [1] * len(shape), 1
    for axis in reversed(order):
        strides[axis] = step
        step *= shape[axis]
    cudnn.call_without_handle(
        "cudnnSetTensorNdDescriptor",
        descriptor.value,
        ctypes.c_int(DATA_TYPES[dtype.name]),
        ctypes.c_int(len(shape)),
        _ints(shape),
        _ints(strides),
    )
    return descriptor


def descriptor_shape(cudnn: Cudnn, descriptor: Descriptor) -> tuple[int, ...]:
    """Returns the shape in a tensor descriptor filled in by cuDNN; () if unset."""
    data_type, count = ctypes.c_int(), ctypes.c_int()
    sizes, strides = (ctypes.c_int * _MAX_AXES)(), (ctypes.c_int * _MAX_AXES)()
    cudnn.call_without_handle(
        "cudnnGetTensorNdDescriptor",
        descriptor.value,
        ctypes.c_int(_MAX_AXES),
        ctypes.byref(data_type),
        ctypes.byref(count),
        sizes,
        strides,
    )
    return tuple(sizes[: count.value])


def sequences(
    cudnn: Cudnn, dtype: np.dtype, shape: Sequence[int], lengths: np.ndarray, time_major: bool
) -> Descriptor:
    """Returns the descriptor of a batch of padded sequences; cuDNN zeros the padding of outputs.

    Args:
      shape: [time, batch, size], or [batch, time, size] where `time_major` is False.
      lengths: [batch], int32.
    """
    time, batch = (shape[0], shape[1]) if time_major else (shape[1], shape[0])
    descriptor = Descriptor(cudnn, "RNNData")
    padding = np.zeros((), dtype)
    lengths = np.ascontiguousarray(lengths, np.int32)
    cudnn.call_without_handle(
        "cudnnSetRNNDataDescriptor",
        descriptor.value,
        ctypes.c_int(DATA_TYPES[dtype.name]),
        ctypes.c_int(_TIME_FIRST if time_major else _BATCH_FIRST),
        ctypes.c_int(time),
        ctypes.c_int(batch),
        ctypes.c_int(shape[2]),
        ctypes.c_void_p(lengths.ctypes.data),
        ctypes.c_void_p(padding.ctypes.data),
    )
    return descriptor


def _ints(values: Sequence[int]) -> Any:
    return (ctypes.c_int * len(values))(*values)
