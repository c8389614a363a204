from tfmini._src.train.profiler.profile_context import ProfileContext as ProfileContext
from tfmini.contrib.tfprof import model_analyzer as model_analyzer
from tfmini.contrib.tfprof import tfprof_logger as tfprof_logger
