"""Checks of the feature keys and shapes required by heads."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from tfmini._src.contrib.timeseries.feature_keys import PredictionFeatures, State, TrainEvalFeatures

_TIMES, _VALUES = TrainEvalFeatures.TIMES, TrainEvalFeatures.VALUES


def check_train_eval_features(features: Any, model: Any) -> None:
    """Raises ValueError if features for training and evaluation do not match the model."""
    _check_keys_present(features, (_TIMES, _VALUES), "training/evaluation")
    times, values = features[_TIMES], features[_VALUES]
    _check_times(times)
    size = model.num_features
    if not values.get_shape().is_compatible_with([None, None, size]):
        raise ValueError(
            f"Expected shape (batch dimension, window size, {size}) for feature '{_VALUES}', since"
            f" the model was configured with num_features={size} (got shape {times.get_shape()})"
        )
    _check_shapes(features, times, {State.STATE_TUPLE})


def check_predict_features(features: Any) -> None:
    """Raises ValueError if features are insufficient for prediction."""
    _check_keys_present(features, (_TIMES, PredictionFeatures.STATE_TUPLE), "prediction")
    _check_times(features[_TIMES])
    _check_shapes(features, features[_TIMES], {State.STATE_TUPLE})


def check_one_shot_features(features: Any) -> None:
    """Raises ValueError if features are insufficient for one-shot prediction."""
    _check_keys_present(features, (_TIMES, _VALUES, PredictionFeatures.STATE_TUPLE), "prediction")
    _check_times(features[_TIMES])
    # Values are required only for the first times.
    _check_shapes(features, features[_TIMES], {State.STATE_TUPLE, _VALUES})


def _check_keys_present(features: Any, keys: Iterable[str], purpose: str) -> None:
    for key in keys:
        if key not in features:
            raise ValueError(f"Expected a '{key}' feature for {purpose}.")


def _check_times(times: Any) -> None:
    if not times.get_shape().is_compatible_with([None, None]):
        raise ValueError(
            f"Expected shape (batch dimension, window size) for feature '{_TIMES}'"
            f" (got shape {times.get_shape()})"
        )


def _check_shapes(features: Any, times: Any, ignored_features: set[str]) -> None:
    for name, value in features.items():
        shape = None if name in ignored_features else value.get_shape()
        if shape is None or shape.ndims is None:
            continue
        if shape.ndims < 2:
            raise ValueError(
                "Features must have shape (batch dimension, window size, ...)"
                f" (got rank {shape.ndims} for feature '{name}')"
            )
        if not shape[:2].is_compatible_with(times.get_shape()):
            raise ValueError(
                "Features must have shape (batch dimension, window size, ...) where batch"
                f" dimension and window size match the '{_TIMES}' feature (got shape {shape} for"
                f" feature '{name}' but shape {times.get_shape()} for feature '{_TIMES}')"
            )
