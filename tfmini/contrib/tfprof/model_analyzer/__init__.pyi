from tfmini._src.contrib.tfprof.model_analyzer import FLOAT_OPS_OPTIONS as FLOAT_OPS_OPTIONS
from tfmini._src.contrib.tfprof.model_analyzer import PRINT_ALL_TIMING_MEMORY as PRINT_ALL_TIMING_MEMORY
from tfmini.contrib.tfprof import ProfileContext as ProfileContext
from tfmini.profiler import Profiler as Profiler
from tfmini._src.contrib.tfprof.model_analyzer import TRAINABLE_VARS_PARAMS_STAT_OPTIONS as TRAINABLE_VARS_PARAMS_STAT_OPTIONS
from tfmini.profiler import advise as advise
from tfmini._src.contrib.tfprof.model_analyzer import print_model_analysis as print_model_analysis
