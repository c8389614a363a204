"""The loss and metrics of one output, including its mask and sample weights."""

from __future__ import annotations

from typing import Any

from tfmini._src.models.keras.engine.outputs import Endpoint
from tfmini._src.models.keras.losses.loss import Reduction, reduce_loss, weighted_loss
from tfmini._src.nn.layers.squeeze_or_expand_dimensions import squeeze_or_expand_dimensions
from tfmini._src.ops import ops


def _mask_sample_weights(mask: Any, weights: Any, template: Any) -> Any:
    """Returns the sample weights multiplied by the mask."""
    if mask is None:
        return weights
    mask = ops.cast(mask, template.dtype)
    if weights is None:
        return mask
    mask, _, weights = squeeze_or_expand_dimensions(mask, sample_weight=weights)
    return weights * mask


def call_metric(metric: Any, endpoint: Endpoint, mask: Any, weights: Any) -> Any:
    """Calls a metric on an output and its targets; returns its result."""
    weights = _mask_sample_weights(mask, weights, endpoint.output)
    return metric(endpoint.target, endpoint.output, sample_weight=weights)


def reduced_loss(endpoint: Endpoint, mask: Any) -> tuple[Any, bool]:
    """Returns the reduced loss of an output, and whether the reduction is a mean."""
    loss_fn, target, output = endpoint.loss_fn, endpoint.target, endpoint.output
    weights = _mask_sample_weights(mask, endpoint.sample_weight, output)
    if not hasattr(loss_fn, "reduction"):
        return loss_fn(target, output, sample_weight=weights), True
    losses = weighted_loss(loss_fn.call(target, output), weights, Reduction.NONE)
    reduction = loss_fn.reduction
    if reduction == Reduction.AUTO:
        reduction = Reduction.SUM_OVER_BATCH_SIZE
    return reduce_loss(losses, reduction), reduction == Reduction.SUM_OVER_BATCH_SIZE
