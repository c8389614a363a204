"""Imports the modules needed by every program, with garbage collection paused, and freezes the objects afterwards.

Newly created modules contain no garbage, and scanning them takes a seventh of the import time. Freezing shortens later
collections, including the one at exit. It includes objects from before, which are few if tfmini is imported first. If
there were more, or some with a finalizer, the objects are moved to the oldest generation instead, by freezing and
unfreezing; otherwise the next young collection would scan them all. This module is imported first, so that the names in
`tfmini/__init__.py` are already available.
"""

import gc

from tfmini._src.programs.startup import exit_gc

_MAX_EARLY_OBJECTS = 50_000  # maximum number of objects created before this import
_MAX_PYTHON_OBJECTS = (
    1_000  # maximum number of objects frozen by Python itself, which are several hundred in 3.12
)

_gc_was_enabled = gc.isenabled()
gc.disable()
_is_early = len(gc.get_objects()) < _MAX_EARLY_OBJECTS and not exit_gc.finalizes_something()
try:
    # These import everything below them.
    from tfmini._src import ops  # noqa: F401
    from tfmini._src.autograph import convert
    from tfmini._src.graph import autograph_status
    from tfmini._src.graph.graphdef import collection_protos
    from tfmini._src.session.session import Session  # noqa: F401
    from tfmini._src.variables import variable_creator, variable_kinds
finally:
    if _gc_was_enabled:
        # Objects frozen by others stay frozen.
        _frozen = gc.get_freeze_count() > _MAX_PYTHON_OBJECTS
        gc.freeze()
        exit_gc.is_import_frozen = _is_early and not _frozen
        if not (_is_early or _frozen):
            gc.unfreeze()
        gc.enable()


def _register_collections() -> None:
    from tfmini._src.ops.control_flow import cond_context, while_context  # noqa: F401, PLC0415
    from tfmini._src.train.checkpoints import saver  # noqa: F401, PLC0415
    from tfmini._src.train.input_queues import queue_runner  # noqa: F401, PLC0415
    from tfmini._src.variables import collections  # noqa: F401, PLC0415


variable_creator.create_by(lambda: variable_kinds.create_by_kind)
autograph_status.convert_by(lambda: convert.convert_on_call)
collection_protos.register_own_by(_register_collections)
