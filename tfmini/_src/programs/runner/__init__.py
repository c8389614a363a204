"""Runs programs as Python would, with `tensorflow` mapped to tfmini: `python -m tfmini run train.py`.

`programs` loads the program given on the command line (a script, directory, module, string or notebook) and runs it as
`__main__`; `notebooks`, with its `magics` and `display`, handles notebooks. `call_shims` restores the old behavior of
calls that fail today, also in the program's modules (`module_finder`); `program_traceback` hides the runner's own
frames from tracebacks.
"""
