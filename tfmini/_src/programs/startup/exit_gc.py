"""Skips garbage collection at exit, unless it would finalize something.

At exit Python scans all objects again, which takes a third of a short program's time, only to free memory that the
process returns anyway. If an object with a finalizer, such as an open file, is kept alive by a reference cycle, the
scan closes it: then the scan runs as usual, including the objects frozen by the import.
"""

import atexit
import gc
import sys

# Whether the import froze the objects created until then.
is_import_frozen = False


def _standard_streams() -> list[object]:
    """Lists the objects that Python itself flushes at exit: the three standard streams, their buffers and files."""
    objects: list[object] = []
    for stream in (sys.__stdin__, sys.__stdout__, sys.__stderr__):
        buffer = getattr(stream, "buffer", None)
        objects += [stream, buffer, getattr(buffer, "raw", None)]
    return objects


def _has_finalizer(cls: type) -> bool:
    return any("__del__" in vars(base) for base in cls.__mro__)


def finalizes_something() -> bool:
    """Whether any tracked object has a finalizer, except for the standard streams."""
    objects = gc.get_objects()
    classes = {cls for cls in set(map(type, objects)) if _has_finalizer(cls)}
    excluded = set(map(id, _standard_streams()))
    return any(type(tracked) in classes and id(tracked) not in excluded for tracked in objects)


def freeze_at_exit() -> None:
    """Freezes all objects before the final collections if none has a finalizer; else unfreezes the import's."""
    if not finalizes_something():
        gc.freeze()
    elif is_import_frozen:
        gc.unfreeze()


atexit.register(freeze_at_exit)
