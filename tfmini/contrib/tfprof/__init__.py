"""tf.contrib.tfprof: the profiler by its older names; `tf.profiler` has what they stand for."""

from tfmini.contrib.tfprof import model_analyzer, tfprof_logger
from tfmini.names.namespaces import namespace as _namespace
from tfmini.profiles.profile_context import ProfileContext

__all__ = [
    "ProfileContext",
    "model_analyzer",
    "tfprof_logger",
]

_namespace(globals())
