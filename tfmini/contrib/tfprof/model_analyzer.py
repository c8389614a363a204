"""tf.contrib.tfprof.model_analyzer: `print_model_analysis`, and options for it."""

from tfmini.contrib.tfprof.analysis import (
    FLOAT_OPS_OPTIONS,
    PRINT_ALL_TIMING_MEMORY,
    TRAINABLE_VARS_PARAMS_STAT_OPTIONS,
    print_model_analysis,
)
from tfmini.names.namespaces import namespace as _namespace
from tfmini.profiles.profile_context import ProfileContext
from tfmini.profiles.profiler import Profiler, advise

__all__ = [
    "FLOAT_OPS_OPTIONS",
    "PRINT_ALL_TIMING_MEMORY",
    "TRAINABLE_VARS_PARAMS_STAT_OPTIONS",
    "ProfileContext",
    "Profiler",
    "advise",
    "print_model_analysis",
]

_namespace(globals())
