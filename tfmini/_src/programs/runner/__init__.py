"""Runs programs as Python would, with `tensorflow` meaning tfmini: `python -m tfmini run train.py`.

`programs` makes one of what the command line names: a script, a folder, a module, a text, a notebook (`notebooks`,
with its `magics` and what it may `display`), and runs it as `__main__`.
`call_shims` has calls that fail today do what they did in the program's time, in its modules too (`module_finder`);
`program_traceback` leaves the runner's own frames out of tracebacks.
"""
