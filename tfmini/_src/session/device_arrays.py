"""Feeds that lie on a device: arrays of its module, PyTorch, JAX and whatever else says where its memory is."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

from tfmini._src.base.errors import invalid
from tfmini._src.devices.arrays import Array
from tfmini._src.devices.device import Devices
from tfmini._src.devices.registry import kind_holding

if TYPE_CHECKING:
    from tfmini._src.graph.tensor import Tensor


class OnDevice:
    """A fed value that is an array in the memory of a device.

    any_shape: whether it may have another shape than the tensor, as what a handle keeps may.
    """

    __slots__ = ("any_shape", "value")

    def __init__(self, value: Any, any_shape: bool = False):
        self.value = value
        self.any_shape = any_shape


def is_on_device(value: Any) -> bool:
    """Whether a fed value is an array in the memory of a device."""
    return kind_holding(value) is not None


def split(
    pairs: Sequence[tuple[Tensor, Any]], devices: Devices
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
            memories[i], values[i] = adopt(value, tensor, devices)
    return values, tuple(memories)


def on_host(pairs: Sequence[tuple[Tensor, Any]], devices: Devices) -> list[tuple[Tensor, Any]]:
    """The feeds, those on a device copied to host memory: for what is compiled before it is known where they lie.

    Raises: what `adopt` raises.
    """
    values, memories = split(pairs, devices)
    if memories:
        values = [devices[m].host_copy(v) if m else v for v, m in zip(values, memories)]
    return [(tensor, value) for (tensor, _), value in zip(pairs, values)]


def adopt(fed: OnDevice, tensor: Tensor, devices: Devices) -> tuple[str, Array]:
    """The name of the device where a fed value lies, and the device's array over the same memory.

    Raises:
      InvalidArgumentError: if that is no device of the session.
      TypeError: if its elements have another dtype than the tensor.
      ValueError: if its shape does not agree with the tensor's.
    """
    kind = kind_holding(fed.value)
    assert kind is not None
    name, array, place = kind.adopt(fed.value, devices)
    if not name:
        invalid(
            f"The value fed for {tensor.name} lies on {place}, which is not a device of this session. Its devices "
            f"are [ {', '.join(devices) or 'CPUs'} ].",
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
