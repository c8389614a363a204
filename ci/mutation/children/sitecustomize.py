"""Runs at the start of each Python that a test starts while the map is made: notes the functions of tfmini that it
calls, each when it is first called, since a process may be killed. See `ci/mutation/reach.py`.
"""

import os
import sys
import threading

_NOTES = os.open(os.environ["TFMINI_REACH_CHILDREN"], os.O_WRONLY | os.O_APPEND | os.O_CREAT)
_ROOT = os.path.realpath(__file__).rsplit(os.sep, 4)[0] + os.sep
_PACKAGE = _ROOT + "tfmini" + os.sep
_OF_FUNCTIONS = 1  # inspect.CO_OPTIMIZED, without a module that a program may not load
_seen = set()


def _trace(frame, event, argument):
    code = frame.f_code
    if code not in _seen:
        _seen.add(code)
        if code.co_flags & _OF_FUNCTIONS and code.co_filename.startswith(_PACKAGE):
            name = f"{code.co_filename[len(_ROOT) :]}:{code.co_firstlineno}\n"
            os.write(_NOTES, name.encode())


threading.settrace(_trace)
sys.settrace(_trace)
