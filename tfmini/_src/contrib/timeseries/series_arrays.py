"""Arrays of a series in canonical shapes [batch, length, ...]; start and end times of batches."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np

from tfmini._src.contrib.timeseries.feature_keys import TrainEvalFeatures

_TIMES, _VALUES = TrainEvalFeatures.TIMES, TrainEvalFeatures.VALUES
# By rank of times: maximum rank of values, and missing axes of times.
_MAX_VALUE_RANKS = {
    0: ("1 dimension ([number of features])", "a batch or time dimension"),
    1: ("2 dimensions ([series length, number of features])", "a batch dimension"),
}


def canonical(data: Mapping[str, Any], require_single_batch: bool) -> dict[str, np.ndarray]:
    """Returns the arrays of a series in canonical shape: [batch, length, ...], values [batch, length, features].

    Args:
      data: arrays by feature name. Times are a scalar, [length] or [batch, length]; other shapes start with these
        dimensions; values may lack the feature dimension.
      require_single_batch: whether to reject a batch of several series.

    Raises:
      ValueError: if times or values are missing, or shapes are incompatible.
    """
    features = {key: np.array(value) for key, value in data.items()}
    if _TIMES not in features or _VALUES not in features:
        raise ValueError(f"{_TIMES} and {_VALUES} are required features.")
    shape = features[_TIMES].shape
    for key, value in features.items():
        if value.shape[: len(shape)] != shape:
            raise ValueError(
                "All features must have their shapes prefixed by the shape of the times feature."
                f" Got shape {value.shape} for feature '{key}', but shape {shape} for '{_TIMES}'"
            )
    if len(shape) in _MAX_VALUE_RANKS:
        features[_VALUES] = _with_feature_dimension(features[_VALUES], len(shape))
        missing = (None,) * (2 - len(shape))
        features = {key: value[missing] for key, value in features.items()}
    elif len(shape) != 2:
        raise ValueError(
            "Got an unexpected number of dimensions for times. Was expecting at most two"
            f" ([batch size, series length]), but got shape {shape}."
        )
    if require_single_batch and features[_TIMES].shape[0] != 1:
        raise ValueError("Got batch input, was expecting unbatched input.")
    return features


def _with_feature_dimension(values: np.ndarray, rank: int) -> np.ndarray:
    if values.ndim == rank:
        return values[..., None]
    if values.ndim > rank + 1:
        max_rank, missing_rank = _MAX_VALUE_RANKS[rank]
        raise ValueError(
            f"Got an unexpected number of dimensions for the '{_VALUES}' feature. Was expecting at"
            f" most {max_rank} since '{_TIMES}' does not have {missing_rank}, but got shape {values.shape}"
        )
    return values


def batch_start_time(times: Any) -> Any:
    """Returns the first time of each series, [batch], of an array or tensor [batch, length]."""
    return times[:, 0]


def batch_end_time(times: Any) -> Any:
    """Returns the last time of each series, [batch], of an array or tensor [batch, length]."""
    return times[:, -1]
