"""`tf.test`: help for testing programs."""

from tfmini.autodiff.jacobians import compute_gradient, compute_gradient_error
from tfmini.hints import no_attributes as _no_attributes

__all__ = ["compute_gradient", "compute_gradient_error"]

__getattr__ = _no_attributes(__name__, globals())
