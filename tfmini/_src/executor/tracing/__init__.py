"""Where a step's time goes: plans that note when each node began and ended, and what is made of these notes.

recorder     the notes of a step
timed        the text of a plan that takes them
step_stats   the same as StepStats, TensorFlow's message, and as a CostGraphDef

Nothing here is met by a step that is not asked for its times: it has a plan of its own.
"""
