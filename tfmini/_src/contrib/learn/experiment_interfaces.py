"""Interfaces required of an Experiment's Estimator."""

from __future__ import annotations

import abc
from collections.abc import Callable, Mapping, Sequence
from typing import Any

from tfmini._src.graph.tensor import TensorLike


class Evaluable(abc.ABC):
    """Interface of models that can be evaluated."""

    @property
    @abc.abstractmethod
    def model_dir(self) -> Any:
        """Directory of checkpoints."""
        raise NotImplementedError

    @abc.abstractmethod
    def evaluate(
        self,
        x: TensorLike | None = None,
        y: TensorLike | None = None,
        input_fn: Callable[..., Any] | None = None,
        feed_fn: Callable[..., Any] | None = None,
        batch_size: int | None = None,
        steps: int | None = None,
        metrics: Mapping[Any, Any] | None = None,
        name: str | None = None,
        checkpoint_path: str | None = None,
        hooks: Sequence[Any] | None = None,
    ) -> Any:
        """Evaluates a checkpoint; returns a dict from name to value.

        Args:
          x, y: arrays of features and labels.
          input_fn, feed_fn: alternatively, an input function and a feed function.
          batch_size: number of rows per batch.
          steps: number of batches.
          metrics: a dict of MetricSpecs.
          name: evaluation name.
          checkpoint_path: checkpoint path, by default the latest.
          hooks: SessionRunHooks.
        """
        raise NotImplementedError


class Trainable(abc.ABC):
    """Interface of models that can be fitted."""

    @abc.abstractmethod
    def fit(
        self,
        x: TensorLike | None = None,
        y: TensorLike | None = None,
        input_fn: Callable[..., Any] | None = None,
        steps: int | None = None,
        batch_size: int | None = None,
        monitors: Sequence[Any] | None = None,
        max_steps: int | None = None,
    ) -> Any:
        """Trains the model; returns it.

        Args:
          x, y: arrays of features and labels.
          input_fn: alternatively, an input function.
          steps: number of steps; max_steps: alternatively, the final step.
          batch_size: number of rows per batch.
          monitors: SessionRunHooks or monitors, called at each step.
        """
        raise NotImplementedError
