"""Creates the `tf.estimator.Head` of a canned Estimator from the Estimator's arguments."""

from __future__ import annotations

from typing import Any

from tfmini._src.models.keras.estimator_heads.classification_heads import (
    BinaryClassHead,
    MultiClassHead,
)
from tfmini._src.models.keras.estimator_heads.head import SingleHead
from tfmini._src.models.keras.estimator_heads.regression_head import RegressionHead

_ARGUMENTS = "n_classes label_dimension weight_column label_vocabulary loss_reduction".split()


def create_head(arguments: dict[str, Any]) -> SingleHead:
    """Creates the head of a classifier or regressor; removes the head's arguments from `arguments`."""
    head_arguments = {name: arguments.pop(name) for name in _ARGUMENTS if name in arguments}
    if "label_dimension" in head_arguments:
        return RegressionHead(**head_arguments)
    n_classes = head_arguments.pop("n_classes")
    return (
        BinaryClassHead(**head_arguments)
        if n_classes == 2
        else MultiClassHead(n_classes, **head_arguments)
    )
