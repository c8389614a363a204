"""`tensorflow.python.eager.forwardprop`: differentiation beside the computation."""

from tfmini._src.autodiff.forward_accumulator import ForwardGradientAccumulator

__all__ = ["ForwardGradientAccumulator"]
