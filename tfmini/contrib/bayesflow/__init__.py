"""`tf.contrib.bayesflow`: expectations by drawing samples."""

from tfmini.contrib.bayesflow import monte_carlo
from tfmini.names.namespaces import namespace as _namespace

__all__ = ["monte_carlo"]

_namespace(globals())
