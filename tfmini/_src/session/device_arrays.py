"""Feeds that lie on a GPU: arrays of CuPy, PyTorch, JAX and whatever else says where its memory is."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any

import numpy as np

from tfmini._src.base.errors import invalid
from tfmini._src.devices.arrays import Array
from tfmini._src.devices.gpu import host_copies

if TYPE_CHECKING:
    from tfmini._src.devices.gpu.device import LogicalGpu
    from tfmini._src.graph.tensor import Tensor

_CUDA = 2  # kDLCUDA, DLPack's number of the kind of device


class OnDevice:
    """A fed value that is an array in the memory of a GPU.

    any_shape: whether it may have another shape than the tensor, as what a handle keeps may.
    """

    __slots__ = ("any_shape", "value")

    def __init__(self, value: Any, any_shape: bool = False):
        self.value = value
        self.any_shape = any_shape


def is_on_device(value: Any) -> bool:
    """Whether a fed value is an array in the memory of a GPU.

    It says so by `__cuda_array_interface__`, or by DLPack's `__dlpack_device__`.
    """
    kind = type(value)
    if kind is np.ndarray or not hasattr(kind, "__dlpack_device__"):
        return hasattr(kind, "__cuda_array_interface__")
    return bool(value.__dlpack_device__()[0] == _CUDA)


def split(
    pairs: Sequence[tuple[Tensor, Any]], gpus: Mapping[str, LogicalGpu]
) -> tuple[list[Any], tuple[str, ...]]:
    """The values of feeds as a plan takes them, and where they lie; () if all are on the host.

    Raises: what `adopt` raises.
    """
    values = [value for _, value in pairs]
    for value in values:
        if value.__class__ is OnDevice:
            break
    else:
        return values, ()
    memories = [""] * len(values)
    for i, (tensor, value) in enumerate(pairs):
        if value.__class__ is OnDevice:
            memories[i], values[i] = adopt(value, tensor, gpus)
    return values, tuple(memories)


def on_host(
    pairs: Sequence[tuple[Tensor, Any]], gpus: Mapping[str, LogicalGpu]
) -> list[tuple[Tensor, Any]]:
    """The feeds, those on a GPU copied to host memory: for what is compiled before it is known where they lie.

    Raises: what `adopt` raises.
    """
    values, memories = split(pairs, gpus)
    if memories:
        values = [host_copies.host_copy(v) if m else v for v, m in zip(values, memories)]
    return [(tensor, value) for (tensor, _), value in zip(pairs, values)]


def adopt(fed: OnDevice, tensor: Tensor, gpus: Mapping[str, LogicalGpu]) -> tuple[str, Array]:
    """The name of the GPU where a fed value lies, and CuPy's array over the same memory.

    Raises:
      InvalidArgumentError: if that is no GPU of the session.
      TypeError: if its elements have another dtype than the tensor.
      ValueError: if its shape does not agree with the tensor's.
    """
    ordinal = None
    if gpus:
        first = next(iter(gpus.values()))
        array = first.array_over(fed.value)
        ordinal = array.device.id
    name = next((n for n, gpu in gpus.items() if gpu.ordinal == ordinal), None)
    if name is None:
        where = "a GPU" if ordinal is None else f"CUDA device {ordinal}"
        invalid(
            f"The value fed for {tensor.name} lies on {where}, which is not a device of this session. Its devices "
            f"are [ {', '.join(gpus) or 'CPUs'} ].",
        )
    wanted = tensor.dtype.base_dtype.as_numpy_dtype
    if array.dtype != wanted:
        raise TypeError(
            f"Cannot feed a device array of {array.dtype} for Tensor {tensor.name!r}, which has dtype "
            f"{tensor.dtype.base_dtype.name}: convert it where it lies."
        )
    if not (fed.any_shape or tensor.shape.is_compatible_with(array.shape)):
        raise ValueError(
            f"Cannot feed value of shape {array.shape!r} for Tensor {tensor.name!r}, which has shape "
            f"{str(tensor.shape)!r}"
        )
    return name, array
