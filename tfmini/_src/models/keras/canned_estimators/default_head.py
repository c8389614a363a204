"""Default heads of canned Estimators, chosen by the arguments."""

from __future__ import annotations

from typing import Any

from tfmini._src.models.keras.estimator_heads.classification_heads import (
    BinaryClassHead,
    MultiClassHead,
)
from tfmini._src.models.keras.estimator_heads.head import OneHead


def head_of_classes(
    n_classes: int, weight_column: Any, label_vocabulary: Any, loss_reduction: str
) -> OneHead:
    """The newer head for two or more classes."""
    if n_classes == 2:
        return BinaryClassHead(
            weight_column=weight_column,
            label_vocabulary=label_vocabulary,
            loss_reduction=loss_reduction,
        )
    return MultiClassHead(
        n_classes,
        weight_column=weight_column,
        label_vocabulary=label_vocabulary,
        loss_reduction=loss_reduction,
    )
