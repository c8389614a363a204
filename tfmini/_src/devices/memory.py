"""The C library's heap: freed memory is kept for the next array.

A step allocates arrays of the same sizes each time. By default glibc gives a freed block at the end of the heap, and
every large one, back to the system, and each new array then costs a page fault for every 4 kB.
"""

from __future__ import annotations

import ctypes
import functools
import sys

# Names and numbers from malloc.h.
_M_TRIM_THRESHOLD = -1
_M_MMAP_THRESHOLD = -3

_KEPT = 256 << 20  # bytes of free memory that the process may hold
_LARGEST = 32 << 20  # arrays up to this size come from the heap; glibc takes no larger limit


@functools.cache
def keep_freed_memory() -> bool:
    """Asks the C library, once for the process, to keep freed memory; False where it is not glibc."""
    mallopt = None if sys.platform == "win32" else getattr(ctypes.CDLL(None), "mallopt", None)
    if mallopt is None:
        return False
    return bool(mallopt(_M_TRIM_THRESHOLD, _KEPT)) and bool(mallopt(_M_MMAP_THRESHOLD, _LARGEST))
