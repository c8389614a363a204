"""Types of reparameterization: whether samples are differentiable with respect to the parameters."""

from __future__ import annotations

from tfmini._src.base.names.deprecation import silence
from tfmini._src.probability.distributions.deprecation import moved


class ReparameterizationType:
    """Dependence of samples on parameters: `FULLY_REPARAMETERIZED` or `NOT_REPARAMETERIZED`.

    Args:
      rep_type: the name, for printing.
    """

    @moved
    def __init__(self, rep_type: str):
        self._rep_type = rep_type

    def __repr__(self) -> str:
        return f"<Reparameteriation Type: {self._rep_type}>"  # TensorFlow's spelling.

    def __eq__(self, other: object) -> bool:
        return self is other

    __hash__ = None  # type: ignore[assignment]


with silence():
    # Samples are differentiable in the parameters: tf.gradients passes through them.
    FULLY_REPARAMETERIZED = ReparameterizationType("FULLY_REPARAMETERIZED")
    # tf.gradients stops at the samples.
    NOT_REPARAMETERIZED = ReparameterizationType("NOT_REPARAMETERIZED")
