"""`tf.contrib.learn`: its data sets, which courses and tutorials read, and vocabularies of documents."""

from tfmini.contrib.learn import datasets, preprocessing
from tfmini.names.namespaces import namespace as _namespace

__all__ = ["datasets", "preprocessing"]

_namespace(globals())
