"""Debugger as in `tensorflow.python.debug`: sessions and hooks that inspect every tensor of a step.

A step is run with extra fetches: every intermediate tensor (`watches`), except those in branches and
loops. Their values are written in TensorFlow's own format (`dumps`), which `dump_dir` and TensorFlow's `DebugDumpDir`
read, or are checked by filters, such as `has_inf_or_nan` (`filters`). `wrappers` are sessions that do so, `hooks` the
same for watched sessions; `report` is the text they print.
"""
