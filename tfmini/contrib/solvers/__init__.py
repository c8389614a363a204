"""`tf.contrib.solvers`: systems of equations solved step by step, of matrices that are known by their products."""

from tfmini.contrib.solvers import lanczos, least_squares, linear_equations, util
from tfmini.names.namespaces import namespace as _namespace

__all__ = ["lanczos", "least_squares", "linear_equations", "util"]

_namespace(globals())
