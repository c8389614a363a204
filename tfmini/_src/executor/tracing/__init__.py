"""Step timing: plans that record the start and end of each node, and reports based on these records.

recorder     records the spans of a step
timed        the source of a plan that records
step_stats   converts spans to StepStats, TensorFlow's message, and CostGraphDef

Untimed steps are unaffected: timed steps use separate plans.
"""

from tfmini._src.base.names.lazy_imports import lazy_modules

__getattr__ = lazy_modules(__name__)
