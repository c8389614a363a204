"""What `tensorflow.python.debug` offers: sessions and hooks that look at every tensor of a step.

A step is run with more fetches than it was asked for: all that it computes on the way (`watches`), but what belongs to
a branch or a loop. What they give is written in TensorFlow's own format (`dumps`), which `dump_dir` and TensorFlow's
`DebugDumpDir` read, or is looked through by filters, such as `has_inf_or_nan` (`filters`). `wrappers` are sessions that
do so, `hooks` the same for watched sessions; `report` is what they say.
"""
