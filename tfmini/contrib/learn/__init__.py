"""`tf.contrib.learn`: its data sets, which courses and tutorials read."""

from tfmini.contrib.learn import datasets
from tfmini.names.namespaces import namespace as _namespace

__all__ = ["datasets"]

_namespace(globals())
