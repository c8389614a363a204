"""L2 loss, half the sum of squares."""

from __future__ import annotations

from typing import Any

import numpy as np

from tfmini._src.devices.cuda.l2_loss import half_sum_of_squares
from tfmini._src.devices.cuda.launch import supports
from tfmini._src.devices.host.threads import run_parts
from tfmini._src.graph.opdef import op, public, raw
from tfmini._src.graph.shape_inference import scalar
from tfmini._src.graph.tensor import Tensor, TensorLike
from tfmini._src.ops.type_lists import HALF_TO_DOUBLE

_PART = 1 << 18  # elements that a thread adds up at a time


@op("L2Loss", "t: T -> output: T", infer=scalar, T=HALF_TO_DOUBLE)
def l2_loss_op(xp, t):
    flat = t.reshape(-1)
    if t.dtype.itemsize == 2:
        flat = flat.astype(np.float32)
    squares = _sum_of_squares(flat) if xp is np else flat.dot(flat)
    return (squares / 2).astype(t.dtype)


def _sum_of_squares(flat: np.ndarray) -> Any:
    """Returns the sum of squares of a vector; uses several threads if it is long."""
    sums = np.empty(-(-flat.size // _PART), flat.dtype)
    if len(sums) < 2:
        return flat.dot(flat)

    def work(index: int) -> None:
        part = flat[index * _PART : (index + 1) * _PART]
        sums[index] = part.dot(part)

    run_parts(work, len(sums))
    return sums.sum()


@l2_loss_op.on_gpu
def _(gpu, t):
    if supports(t.dtype):
        return half_sum_of_squares(gpu.xp, t)
    return half_sum_of_squares(gpu.xp, t.astype("f")).astype(t.dtype)


@l2_loss_op.gradient
def _(op, grad):
    return op.inputs[0] * grad


@public
def l2_loss(t: TensorLike, name: str | None = None) -> Tensor:
    """Computes half the sum of squares of all elements.

    Args:
      t: a float tensor of any shape.

    Returns:
      A scalar of the same dtype.
    """
    return raw.L2Loss(t, name=name)
