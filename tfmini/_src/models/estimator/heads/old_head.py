"""Heads that programs derive from `_Head` of `tensorflow.python.estimator.canned.head`."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from tfmini._src.models.estimator.estimator_spec import EstimatorSpec


class OldHead:
    """The end of a model, which turns logits into an EstimatorSpec; a subclass has all of it."""

    @property
    def name(self) -> Any:
        """The name of the head; None if it has none."""
        raise NotImplementedError("Calling an abstract method.")

    @property
    def logits_dimension(self) -> Any:
        """The size of the last dimension of its logits."""
        raise NotImplementedError("Calling an abstract method.")

    def create_loss(self, features: Any, mode: str, logits: Any, labels: Any) -> Any:
        """The loss of logits against labels."""
        raise NotImplementedError("Calling an abstract method.")

    def create_estimator_spec(
        self,
        features: Any,
        mode: str,
        logits: Any,
        labels: Any = None,
        optimizer: Any = None,
        train_op_fn: Callable | None = None,
        regularization_losses: Any = None,
    ) -> EstimatorSpec:
        """The EstimatorSpec that a model function returns: the one for TPUs, unless a subclass has its own."""
        spec = self._create_tpu_estimator_spec(
            features=features,
            mode=mode,
            logits=logits,
            labels=labels,
            optimizer=optimizer,
            train_op_fn=train_op_fn,
            regularization_losses=regularization_losses,
        )
        found: EstimatorSpec = spec.as_estimator_spec()
        return found

    def _create_tpu_estimator_spec(self, **kwargs: Any) -> Any:
        raise NotImplementedError("TPUEstimatorSpec not available for this model head.")
