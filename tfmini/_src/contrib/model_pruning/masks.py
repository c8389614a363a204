"""Collections of weights, their masks of zeros and ones, and the thresholds of masked weights."""

from __future__ import annotations

from typing import Any

from tfmini._src.graph.collections import add_to_collection, get_collection
from tfmini._src.graph.tensor import Tensor
from tfmini._src.ops import ops
from tfmini._src.variables.get_variable import VariableScope, get_variable
from tfmini._src.variables.initializers import Ones, Zeros
from tfmini._src.variables.variable_scope import variable_scope

_MASKS, _THRESHOLDS = "masks", "thresholds"
_MASKED_WEIGHTS_COLLECTION, _WEIGHTS = "masked_weights", "kernel"
MASKED_NAME = "weights/masked_weight"


def apply_mask(x: Any, scope: str | VariableScope | None = "") -> Tensor:
    """Multiplies weights by a mask updated by `Pruning`.

    Args:
      x: the weights, a variable.
      scope: variable scope of the mask and its threshold.

    Returns:
      The masked weights, for use in a layer.

    Example:
      weights = tf.get_variable("weights", [784, 100])
      y = tf.matmul(x, tf.contrib.model_pruning.apply_mask(weights, "first"))
    """
    with variable_scope(scope):
        mask = get_variable(
            "mask", x.get_shape(), initializer=Ones(), trainable=False, dtype=x.dtype
        )
    with variable_scope(scope):
        threshold = get_variable(
            "threshold", [], initializer=Zeros(), trainable=False, dtype=x.dtype
        )
    masked = ops.multiply(mask, x, MASKED_NAME)
    if not is_known(mask):
        add_to_collection(_THRESHOLDS, threshold)
        add_to_collection(_MASKS, mask)
        add_to_collection(_MASKED_WEIGHTS_COLLECTION, masked)
        add_to_collection(_WEIGHTS, x)
    return masked


def is_known(mask: Any) -> bool:
    """Whether a mask is in the collection of masks."""
    return any(known_mask is mask for known_mask in get_collection(_MASKS))


def collect(mask: Any, masked: Any, threshold: Any, weights: Any) -> None:
    """Adds a layer's variables to their collections."""
    add_to_collection(_MASKS, mask)
    add_to_collection(_MASKED_WEIGHTS_COLLECTION, masked)
    add_to_collection(_THRESHOLDS, threshold)
    add_to_collection(_WEIGHTS, weights)


def get_masked_weights() -> list[Any]:
    """Returns the products of weights and masks in the default graph."""
    return get_collection(_MASKED_WEIGHTS_COLLECTION)


def get_masks() -> list[Any]:
    """Returns the masks in the default graph."""
    return get_collection(_MASKS)


def get_thresholds() -> list[Any]:
    """Returns the thresholds in the default graph."""
    return get_collection(_THRESHOLDS)


def get_weights() -> list[Any]:
    """Returns the weights with masks in the default graph."""
    return get_collection(_WEIGHTS)


def get_weight_sparsity() -> list[Tensor]:
    """Returns the fraction of zeros in each mask, a list of float scalars."""
    return [ops.zero_fraction(mask) for mask in get_masks()]
