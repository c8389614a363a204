"""`tf.contrib.solvers.least_squares`: systems with more equations than unknowns."""

from tfmini.contrib.solvers.conjugate_gradients import cgls
from tfmini.names.namespaces import namespace as _namespace

__all__ = ["cgls"]

_namespace(globals())
