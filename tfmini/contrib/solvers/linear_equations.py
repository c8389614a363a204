"""`tf.contrib.solvers.linear_equations`: systems of symmetric positive definite matrices."""

from tfmini.contrib.solvers.conjugate_gradients import conjugate_gradient
from tfmini.names.namespaces import namespace as _namespace

__all__ = ["conjugate_gradient"]

_namespace(globals())
