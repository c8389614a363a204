"""Imports what every program needs, with no search for garbage meanwhile.

Among modules that have just been made there is none, and searching takes a seventh of the time. It is imported
before anything else, so that what `tfmini/__init__.py` names is there already.
"""

import gc

_collects = gc.isenabled()
gc.disable()
try:
    from tfmini import nn, session, train  # noqa: F401  they bring all below them
finally:
    if _collects:
        gc.enable()
