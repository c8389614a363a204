"""`tensorflow.python.ops.nccl_ops`: reductions over tensors on different GPUs.

    from tfmini.compat.python.ops import nccl_ops

    gradients = []
    for number in range(2):
        with tf.device(f"/gpu:{number}"):
            gradients.append(tf.gradients(losses[number], weights[number])[0])
    sums = nccl_ops.all_sum(gradients)   # one on each GPU

These ops require GPUs, since they have no CPU kernels. NVIDIA's NCCL runs the all-reduces if CuPy finds it and each
tensor is on a separate GPU; otherwise they use copies and sums.
"""

from __future__ import annotations

from collections.abc import Sequence

from tfmini._src.graph.scopes import device
from tfmini._src.graph.tensor import Tensor
from tfmini._src.ops import raw
from tfmini._src.ops.collective.nccl import all_reduce, check_device

__all__ = ["all_max", "all_min", "all_prod", "all_sum", "broadcast", "reduce_sum"]


def all_sum(tensors: Sequence[Tensor]) -> list[Tensor]:
    """Returns the sum of the tensors on each of their devices.

    Args:
      tensors: tensors of one shape and dtype (float16, float32, float64, int32, int64), each created in a `tf.device`
        block.

    Returns:
      For each tensor, the sum on its device. All sums must be computed in the same `run`.

    Raises:
      ValueError: if there are no tensors, or one of them has no device.
    """
    return all_reduce("sum", tensors)


def all_prod(tensors: Sequence[Tensor]) -> list[Tensor]:
    """Returns the product of the tensors on each of their devices; see `all_sum`."""
    return all_reduce("prod", tensors)


def all_min(tensors: Sequence[Tensor]) -> list[Tensor]:
    """Returns the elementwise minimum of the tensors on each of their devices; see `all_sum`."""
    return all_reduce("min", tensors)


def all_max(tensors: Sequence[Tensor]) -> list[Tensor]:
    """Returns the elementwise maximum of the tensors on each of their devices; see `all_sum`."""
    return all_reduce("max", tensors)


def reduce_sum(tensors: Sequence[Tensor]) -> Tensor:
    """Returns the sum of the tensors on the device of the enclosing `tf.device`.

    Args:
      tensors: tensors of one shape and dtype, each created in a `tf.device` block; one of them on the sum's device.

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
    """Returns the tensor for use by ops on other GPUs; each GPU receives one copy.

    Raises:
      ValueError: if the tensor has no device.
    """
    check_device(tensor)
    with device(tensor.device):
        return raw.NcclBroadcast(tensor, shape=tensor.shape)
