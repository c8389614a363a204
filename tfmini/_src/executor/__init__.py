"""A plan that runs: compiled once for fetches and feeds, then called for each step.

`compile_plan` makes a plan (through `inline`, where a graph calls functions: the same graph without calls), `plan`
runs one; `after_failure` is what it still runs where a node fails. A step that may wait, for a queue say, is cut by
`schedule` into parts that do not; `waiting_plan` runs these and what waits between them. `state` has what lives longer
than a step (variables, queues, iterators), `tracing` the times of nodes; devices may capture segments of a plan
(`devices/capture.py`). It imports the compiler and what lies below it. Begin with `plan`.
"""

from tfmini._src.base.names.late_imports import late_modules

__getattr__ = late_modules(__name__)
