"""Loaded at the start of each Python started by a test while the map is recorded: records each function of tfmini at
its first call, since a process may be killed. See `ci/commands/mutation/reach.py`.
"""

import os
import sys

_NOTES = os.open(os.environ["TFMINI_REACH_CHILDREN"], os.O_WRONLY | os.O_APPEND | os.O_CREAT)
_ROOT = os.path.realpath(__file__).rsplit(os.sep, 5)[0] + os.sep
_PACKAGE = _ROOT + "tfmini" + os.sep
_OF_FUNCTIONS = 1  # inspect.CO_OPTIMIZED, without loading a module that the program may not load
_monitoring = getattr(sys, "monitoring", None)


def _on_start(code, offset):
    if code.co_flags & _OF_FUNCTIONS and code.co_filename.startswith(_PACKAGE):
        name = f"{code.co_filename[len(_ROOT) :]}:{code.co_firstlineno}\n"
        try:
            os.write(_NOTES, name.encode())
        except OSError:  # a limit set by the program itself
            pass
    return _monitoring.DISABLE


if _monitoring is not None:  # another, older Python than the one that records the map
    _monitoring.use_tool_id(_monitoring.COVERAGE_ID, "tfmini reach")
    _monitoring.register_callback(_monitoring.COVERAGE_ID, _monitoring.events.PY_START, _on_start)
    _monitoring.set_events(_monitoring.COVERAGE_ID, _monitoring.events.PY_START)
