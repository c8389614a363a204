"""Skips garbage collection at exit, unless it would finalize something.

Python looks through all objects once more before it ends, which takes a third of the time of a short program: only to
free memory that goes back to the system anyway. Where something has a finalizer, as an open file has, which an object
in a circle keeps alive, the search is what closes it: then it goes on as ever, also over what the import has frozen.
"""

import atexit
import gc
import sys

# Whether the import has put what was made until then where no search looks.
loading_froze = False


def _standard_streams() -> list[object]:
    """Objects that Python flushes itself at exit: the three standard streams, their buffers, their files."""
    found: list[object] = []
    for stream in (sys.__stdin__, sys.__stdout__, sys.__stderr__):
        buffer = getattr(stream, "buffer", None)
        found += [stream, buffer, getattr(buffer, "raw", None)]
    return found


def _has_finalizer(kind: type) -> bool:
    return any("__del__" in vars(base) for base in kind.__mro__)


def finalizes_something() -> bool:
    """Whether any object that the collector tracks has a finalizer, except for the standard streams."""
    objects = gc.get_objects()
    kinds = {kind for kind in set(map(type, objects)) if _has_finalizer(kind)}
    known = set(map(id, _standard_streams()))
    return any(type(each) in kinds and id(each) not in known for each in objects)


def leave() -> None:
    """Hides all objects from the last collections if none has a finalizer; else unhides the import's."""
    if not finalizes_something():
        gc.freeze()
    elif loading_froze:
        gc.unfreeze()


atexit.register(leave)
