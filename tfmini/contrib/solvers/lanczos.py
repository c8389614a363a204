"""`tf.contrib.solvers.lanczos`: large matrices made bidiagonal."""

from tfmini.contrib.solvers.bidiagonal import bidiag_matmul, lanczos_bidiag
from tfmini.names.namespaces import namespace as _namespace

__all__ = ["bidiag_matmul", "lanczos_bidiag"]

_namespace(globals())
