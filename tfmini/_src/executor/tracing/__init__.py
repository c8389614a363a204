"""Step timing: plans that record the start and end of each node, and reports based on these records.

recorder     the notes of a step
timed        the text of a plan that takes them
step_stats   the same as StepStats, TensorFlow's message, and as a CostGraphDef

Untimed steps are unaffected: timed steps use separate plans.
"""

from tfmini._src.base.names.late_imports import late_modules

__getattr__ = late_modules(__name__)
