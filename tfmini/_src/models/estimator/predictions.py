"""Predictions, selected by name and split into examples."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any


def select_keys(predictions: Any, keys: Any, argument: str = "predict_keys") -> Any:
    """Selects predictions by name, by default all; raises ValueError if none matches.

    Args:
      predictions: a tensor or a dict of tensors.
      keys: the names, called `argument` in errors.
    """
    if not keys:
        return predictions
    if not isinstance(predictions, dict):
        raise ValueError(f"{argument} argument is not valid in case of non-dict predictions.")
    selected = {name: value for name, value in predictions.items() if name in keys}
    if not selected:
        raise ValueError(
            f"Expected to run at least one output from {predictions.keys()}, provided {keys}."
        )
    return selected


def split_batch(batch: Any) -> Iterator[Any]:
    """Yields the examples of a batch: rows of an array, or dicts of rows."""
    if not isinstance(batch, dict):
        yield from batch
        return
    length = None
    for name, values in batch.items():
        length = length or values.shape[0]
        if values.shape[0] != length:
            raise ValueError(
                f"Batch length of predictions should be same. {name} has different batch length than others."
            )
    for index in range(length or 0):
        yield {name: values[index] for name, values in batch.items()}
