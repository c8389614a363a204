"""`tensorflow.python.ops.nccl_ops`: reductions over tensors on different GPUs.

    from tfmini.compat.python.ops import nccl_ops

    gradients = []
    for number in range(2):
        with tf.device(f"/gpu:{number}"):
            gradients.append(tf.gradients(losses[number], weights[number])[0])
    sums = nccl_ops.all_sum(gradients)   # one on each GPU

They need GPUs: no op of these has a kernel on a CPU. NVIDIA's NCCL does the all-reduces where CuPy finds it and each
tensor has a card of its own; else copies and sums do.
"""

from __future__ import annotations

from collections.abc import Sequence

from tfmini._src.graph.scopes import device
from tfmini._src.graph.tensor import Tensor
from tfmini._src.ops import raw
from tfmini._src.ops.collective.nccl import all_reduce, check_device

__all__ = ["all_max", "all_min", "all_prod", "all_sum", "broadcast", "reduce_sum"]


def all_sum(tensors: Sequence[Tensor]) -> list[Tensor]:
    """Sum of the tensors, on each of their devices.

    Args:
      tensors: tensors of one shape and dtype (float16, float32, float64, int32, int64), each made under a `tf.device`.

    Returns:
      for each of the tensors, the sum on its device. All of them have to be computed in the same `run`.

    Raises:
      ValueError: if there are no tensors, or one has no device.
    """
    return all_reduce("sum", tensors)


def all_prod(tensors: Sequence[Tensor]) -> list[Tensor]:
    """Product of the tensors, on each of their devices: see `all_sum`."""
    return all_reduce("prod", tensors)


def all_min(tensors: Sequence[Tensor]) -> list[Tensor]:
    """Elementwise minimum of the tensors, on each of their devices: see `all_sum`."""
    return all_reduce("min", tensors)


def all_max(tensors: Sequence[Tensor]) -> list[Tensor]:
    """Elementwise maximum of the tensors, on each of their devices: see `all_sum`."""
    return all_reduce("max", tensors)


def reduce_sum(tensors: Sequence[Tensor]) -> Tensor:
    """Sum of the tensors, on the device of the enclosing `tf.device`.

    Args:
      tensors: tensors of one shape and dtype, each made under a `tf.device`; one of them on the device of the sum.

    Raises:
      ValueError: if there are no tensors, one has no device, or none is on the device of the sum.
    """
    if not tensors:
        raise ValueError("Must pass >0 tensors to reduce operations")
    for tensor in tensors:
        check_device(tensor)
    result = raw.NcclReduce(tensors, reduction="sum")
    if all(tensor.device != result.device for tensor in tensors):
        raise ValueError("One input tensor must be assigned to current device")
    return result


def broadcast(tensor: Tensor) -> Tensor:
    """The tensor, for ops on other GPUs to read; each GPU gets one copy of it.

    Raises:
      ValueError: if it has no device.
    """
    check_device(tensor)
    with device(tensor.device):
        return raw.NcclBroadcast(tensor, shape=tensor.shape)
