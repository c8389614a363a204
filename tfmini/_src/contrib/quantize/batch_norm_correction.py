"""Corrections for weights scaled by moving statistics, so that results are batch-normalized."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from tfmini._src.contrib.quantize.reroute import quantization_step, reroute
from tfmini._src.graph.default_graph import get_default_graph
from tfmini._src.graph.tensor import Tensor
from tfmini._src.ops import ops


@dataclass(frozen=True)
class Statistics:
    """Batch statistics, moving statistics and decays of a batch normalization."""

    gamma: Any
    mean: Any
    variance: Any
    epsilon: Any
    moving_mean: Any
    moving_variance: Any
    mean_decay: Any
    variance_decay: Any


@dataclass(frozen=True)
class Corrections:
    """Factors applied before and after the product, and the offset added last."""

    scale: Tensor
    reciprocal: Tensor
    offset: Tensor


def corrections(context: str, statistics: Statistics, freeze_delay: int | None) -> Corrections:
    """Returns the corrections in training; moving statistics replace batch statistics after `freeze_delay` steps."""
    with get_default_graph().name_scope(context + "batch_norm_correction"):
        moving_factor = ops.rsqrt(statistics.moving_variance + statistics.epsilon)
        factor = ops.rsqrt(statistics.variance + statistics.epsilon)
        scale = ops.divide(moving_factor, factor, name="scale_compute")
        scale = ops.identity(scale, name="correction_scale")
        reciprocal = ops.reciprocal(scale, name="reciprocal_compute")
        difference = statistics.mean * factor - statistics.moving_mean * moving_factor
        offset = ops.multiply(statistics.gamma, difference, name="offset_compute")
        frozen: Any = False
        if freeze_delay is not None:
            step = quantization_step()
            frozen = ops.greater_equal(step, freeze_delay, name="use_moving_average")
        _freeze(frozen, statistics.mean_decay, "freeze_moving_mean")
        _freeze(frozen, statistics.variance_decay, "freeze_moving_var")
        reciprocal = ops.smart_cond(
            frozen, lambda: ops.ones(scale.shape), lambda: reciprocal, name="correction_recip"
        )
        offset = ops.smart_cond(
            frozen, lambda: offset, lambda: ops.zeros(offset.shape), name="correction_offset"
        )
    return Corrections(scale, reciprocal, offset)


def _freeze(frozen: Any, decay: Tensor, name: str) -> None:
    """Freezes a moving statistic while `frozen` holds."""
    readers = list(decay.consumers())
    reroute(ops.smart_cond(frozen, lambda: 0.0, lambda: decay, name=name), decay, readers)
