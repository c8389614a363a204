"""Imports what every program needs, with no search for garbage meanwhile, nor among it later.

Among modules that have just been made there is none, and searching takes a seventh of the time. Afterwards all that
was made is put where no search looks: each later one is shorter, the last one of the process too. With it goes what
was there before, which is next to nothing where tfmini is imported first. Where there was more, or something that has
a finalizer, all is put among the long-lived objects at once instead, by freezing and thawing; else the next search
for young garbage would look at each. This is imported before anything else, so that what `tfmini/__init__.py` names
is there already.
"""

import gc

from tfmini.startup import leaving

_FEW = 50_000  # objects from before

_collects = gc.isenabled()
gc.disable()
_is_early = len(gc.get_objects()) < _FEW and not leaving.finalizes_something()
try:
    # They bring all below them.
    from tfmini import compat, nn  # noqa: F401
    from tfmini.functions import branch_gradients, mapping, while_gradients  # noqa: F401
    from tfmini.session import interactive  # noqa: F401
    from tfmini.variables import module, partitioned_variables, template  # noqa: F401
finally:
    if _collects:
        _frozen = gc.get_freeze_count()  # what somebody froze stays frozen
        gc.freeze()
        leaving.loading_froze = _is_early and not _frozen
        if not (_is_early or _frozen):
            gc.unfreeze()
        gc.enable()
