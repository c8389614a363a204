"""Base class of user heads, `_Head` in `tensorflow.python.estimator.canned.head`."""

from __future__ import annotations

from typing import Any

from tfmini._src.base.names.signature import arguments_of
from tfmini._src.models.estimator.estimator_spec import EstimatorSpec
from tfmini._src.models.estimator.heads.head import Head


class OldHead:
    """Abstract base class of heads, which convert logits to an EstimatorSpec."""

    @property
    def name(self) -> Any:
        """The head's name, or None."""
        raise NotImplementedError("Calling an abstract method.")

    @property
    def logits_dimension(self) -> Any:
        """The last dimension of logits."""
        raise NotImplementedError("Calling an abstract method.")

    def create_loss(self, features: Any, mode: str, logits: Any, labels: Any) -> Any:
        """Computes the loss of logits and labels."""
        raise NotImplementedError("Calling an abstract method.")

    @arguments_of(Head.create_estimator_spec)
    def create_estimator_spec(self, **arguments: Any) -> EstimatorSpec:  # type: ignore[misc]
        """Returns the EstimatorSpec of a model function; by default derived from the TPU spec."""
        spec: EstimatorSpec = self._create_tpu_estimator_spec(**arguments).as_estimator_spec()
        return spec

    def _create_tpu_estimator_spec(self, **kwargs: Any) -> Any:
        raise NotImplementedError("TPUEstimatorSpec not available for this model head.")
