"""`tensorflow.python.eager.forwardprop`: forward-mode differentiation, alongside the computation."""

from tfmini._src.autodiff.forward_accumulator import ForwardGradientAccumulator

__all__ = ["ForwardGradientAccumulator"]
