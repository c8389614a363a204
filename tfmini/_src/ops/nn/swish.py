"""Swish, a composition of ops with a custom gradient."""

from __future__ import annotations

from tfmini._src.graph.opdef import public
from tfmini._src.graph.public_functions import ops as late_ops
from tfmini._src.graph.scopes import control_dependencies
from tfmini._src.graph.tensor import Tensor, TensorLike
from tfmini._src.ops import ops


@public
def swish(features: TensorLike) -> Tensor:
    """Returns features * sigmoid(features); its gradient only retains the features.

    Args:
      features: a float tensor.

    Source: P. Ramachandran et al., "Searching for activation functions", 2017.
    """
    return late_ops.custom_gradient(_swish)(features)


def _swish(features):
    features = ops.convert_to_tensor(features, name="features")

    def grad(dy):
        with control_dependencies([dy]):
            sigmoid = ops.sigmoid(features)
        return dy * (sigmoid * (1.0 + features * (1.0 - sigmoid)))

    return features * ops.sigmoid(features), grad
