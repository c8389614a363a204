"""On GPUs: which segments of a plan are captured as CUDA graphs, capturing, replaying."""

from tfmini._src.base.names.late_imports import late_modules

__getattr__ = late_modules(__name__)
