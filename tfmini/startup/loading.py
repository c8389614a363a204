"""Imports what every program needs, with no search for garbage meanwhile.

Among modules that have just been made there is none, and searching takes a seventh of the time. Afterwards all
that was made is put among the long-lived objects at once, which freezing and thawing does without looking at
them; else the next search for young garbage would look at each. It is imported before anything else, so that
what `tfmini/__init__.py` names is there already.
"""

import gc

from tfmini.startup import leaving  # noqa: F401  what it does when the process ends

_collects = gc.isenabled()
gc.disable()
try:
    from tfmini import nn, session, train  # noqa: F401  they bring all below them
finally:
    if _collects:
        if not gc.get_freeze_count():  # what somebody froze stays frozen
            gc.freeze()
            gc.unfreeze()
        gc.enable()
