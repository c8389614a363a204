"""tf.contrib.tfprof: the profiler by its older names; `tf.profiler` has what they stand for."""

from tfmini.contrib.tfprof import model_analyzer
from tfmini.names.namespaces import namespace as _namespace

__all__ = [
    "model_analyzer",
]

_namespace(globals())
