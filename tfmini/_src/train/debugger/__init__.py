"""Debugger as in `tensorflow.python.debug`: sessions and hooks that inspect all tensors of a step.

A debugged step also fetches every intermediate tensor (`watches`), except tensors in branches and loops.
Their values are written in TensorFlow's format (`dumps`), readable by `dump_dir` and TensorFlow's
`DebugDumpDir`, or checked by filters such as `has_inf_or_nan` (`filters`). `wrappers` contains the
sessions, `hooks` the hooks for monitored sessions, and `report` the printed text.
"""
