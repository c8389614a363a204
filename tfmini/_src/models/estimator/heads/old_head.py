"""Heads that programs derive from `_Head` of `tensorflow.python.estimator.canned.head`."""

from __future__ import annotations

from typing import Any

from tfmini._src.base.names.signature import arguments_of
from tfmini._src.models.estimator.estimator_spec import EstimatorSpec
from tfmini._src.models.estimator.heads.head import Head


class OldHead:
    """Final part of a model, which converts logits to an EstimatorSpec; subclasses implement it."""

    @property
    def name(self) -> Any:
        """Name of the head, or None."""
        raise NotImplementedError("Calling an abstract method.")

    @property
    def logits_dimension(self) -> Any:
        """Size of the logits' last dimension."""
        raise NotImplementedError("Calling an abstract method.")

    def create_loss(self, features: Any, mode: str, logits: Any, labels: Any) -> Any:
        """Loss of logits against labels."""
        raise NotImplementedError("Calling an abstract method.")

    @arguments_of(Head.create_estimator_spec)
    def create_estimator_spec(self, **arguments: Any) -> EstimatorSpec:  # type: ignore[misc]
        """The EstimatorSpec of a model function: the TPU one, unless a subclass overrides this."""
        spec: EstimatorSpec = self._create_tpu_estimator_spec(**arguments).as_estimator_spec()
        return spec

    def _create_tpu_estimator_spec(self, **kwargs: Any) -> Any:
        raise NotImplementedError("TPUEstimatorSpec not available for this model head.")
