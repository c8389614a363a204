"""The executor: plans, compiled once per set of fetches and feeds, then run once per step.

`compile_plan` compiles a plan, after `inline` has replaced function calls; `plan` runs it; `after_failure` runs
independent side effects after a node fails. `schedule` splits a blocking step, such as one that uses a queue, into
nonblocking parts; `waiting_plan` runs the parts and the blocking nodes between them. `state` holds state that outlives
a step (variables, queues, iterators), `tracing` records node times; devices may capture segments of a plan
(`devices/capture.py`). The package may import the compiler and the layers below it. Start reading at `plan`.
"""

from tfmini._src.base.names.lazy_imports import lazy_modules

__getattr__ = lazy_modules(__name__)
