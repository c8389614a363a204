"""Device-resident feeds: arrays of the device's module, PyTorch, JAX, or any library that exposes device memory."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

from tfmini._src.base.errors import invalid
from tfmini._src.devices.arrays import Array
from tfmini._src.devices.device import Devices
from tfmini._src.devices.registry import find_holding_kind

if TYPE_CHECKING:
    from tfmini._src.graph.tensor import Tensor


class DeviceFeed:
    """A fed array in device memory.

    any_shape: whether the array's shape may differ from the tensor's, as with tensor handles.
    """

    __slots__ = ("any_shape", "value")

    def __init__(self, value: Any, any_shape: bool = False):
        self.value = value
        self.any_shape = any_shape


def is_on_device(value: Any) -> bool:
    """Whether a fed value is an array in device memory."""
    return find_holding_kind(value) is not None


def split(
    pairs: Sequence[tuple[Tensor, Any]], devices: Devices
) -> tuple[list[Any], tuple[str, ...]]:
    """Converts feed values to the form that plans accept; also returns their memories, () if all are on the host.

    Raises: the errors of `adopt`.
    """
    values = [value for _, value in pairs]
    for value in values:
        if value.__class__ is DeviceFeed:
            break
    else:
        return values, ()
    memories = [""] * len(values)
    for i, (tensor, value) in enumerate(pairs):
        if value.__class__ is DeviceFeed:
            memories[i], values[i] = adopt(value, tensor, devices)
    return values, tuple(memories)


def on_host(pairs: Sequence[tuple[Tensor, Any]], devices: Devices) -> list[tuple[Tensor, Any]]:
    """Copies device feeds to host memory, for plans compiled before the feeds' memories are known.

    Raises: the errors of `adopt`.
    """
    values, memories = split(pairs, devices)
    if memories:
        values = [devices[m].host_copy(v) if m else v for v, m in zip(values, memories)]
    return [(tensor, value) for (tensor, _), value in zip(pairs, values)]


def adopt(fed_arrays: DeviceFeed, tensor: Tensor, devices: Devices) -> tuple[str, Array]:
    """Returns the name of the device holding a fed value, and the device's array over the same memory.

    Raises:
      InvalidArgumentError: if the device is not in the session.
      TypeError: if its dtype differs from the tensor's.
      ValueError: if its shape is incompatible with the tensor's.
    """
    kind = find_holding_kind(fed_arrays.value)
    assert kind is not None
    name, array, location = kind.adopt(fed_arrays.value, devices)
    if not name:
        invalid(
            f"The value fed for {tensor.name} is on {location}, which is not a device of this "
            f"session. Its devices are [ {', '.join(devices) or 'CPUs'} ].",
        )
    numpy_dtype = tensor.dtype.base_dtype.as_numpy_dtype
    if array.dtype != numpy_dtype:
        raise TypeError(
            f"Cannot feed a {array.dtype} device array for Tensor {tensor.name!r}, which "
            f"has dtype {tensor.dtype.base_dtype.name}. Cast it on its device first."
        )
    if not (fed_arrays.any_shape or tensor.shape.is_compatible_with(array.shape)):
        raise ValueError(
            f"Cannot feed value of shape {array.shape!r} for Tensor {tensor.name!r}, which has shape "
            f"{str(tensor.shape)!r}"
        )
    return name, array
