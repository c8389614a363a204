"""Timing of a step: plans that record when each node begins and ends, and reports made of these records.

recorder     the notes of a step
timed        the text of a plan that takes them
step_stats   the same as StepStats, TensorFlow's message, and as a CostGraphDef

Nothing here is met by a step that is not asked for its times: it has a plan of its own.
"""

from tfmini._src.base.names.late_imports import late_modules

__getattr__ = late_modules(__name__)
