"""Imports the modules that every program needs, with garbage collection paused, and frozen afterwards.

Among modules that have just been made there is none, and searching takes a seventh of the time. Afterwards all that
was made is put where no search looks: each later one is shorter, the last one of the process too. With it goes what
was there before, which is next to nothing where tfmini is imported first. Where there was more, or something that has
a finalizer, all is put among the long-lived objects at once instead, by freezing and thawing; else the next search
for young garbage would look at each. This is imported before anything else, so that what `tfmini/__init__.py` names
is there already.
"""

import gc

from tfmini._src.programs.startup import exit_gc

_FEW = 50_000  # objects from before
_OF_PYTHON = 1_000  # objects: Python 3.12 begins with some hundreds that are frozen

_collects = gc.isenabled()
gc.disable()
_is_early = len(gc.get_objects()) < _FEW and not exit_gc.finalizes_something()
try:
    # They bring all below them.
    from tfmini._src import ops  # noqa: F401
    from tfmini._src.autograph import convert
    from tfmini._src.graph import autograph_status
    from tfmini._src.graph.graphdef import collection_protos
    from tfmini._src.session.session import Session  # noqa: F401
    from tfmini._src.variables import variable_creator, variable_kinds
finally:
    if _collects:
        _frozen = gc.get_freeze_count() > _OF_PYTHON  # what somebody froze stays frozen
        gc.freeze()
        exit_gc.loading_froze = _is_early and not _frozen
        if not (_is_early or _frozen):
            gc.unfreeze()
        gc.enable()


def _register_collections() -> None:
    from tfmini._src.ops.control_flow import cond_context, while_context  # noqa: F401, PLC0415
    from tfmini._src.train.checkpoints import saver  # noqa: F401, PLC0415
    from tfmini._src.train.input_queues import queue_runner  # noqa: F401, PLC0415
    from tfmini._src.variables import collections  # noqa: F401, PLC0415


variable_creator.create_by(lambda: variable_kinds.create_by_kind)
autograph_status.convert_by(lambda: convert.converted)
collection_protos.register_own_by(_register_collections)
