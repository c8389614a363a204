"""cuFFT's plans, as CuPy keeps them: by thread and device, whatever the stream (cupy/fft/_cache.pyx, get_plan_cache;
cupy/fft/_fft.py, `keys`). A plan has a work area, from the allocator that was there when it was made
(cupy/cuda/cufft.pyx), which each of its transforms writes.
"""

import collections

import numpy as np

from tests.support.fake_cupy.array import ndarray
from tests.support.fake_cupy.copies import touch
from tests.support.fake_cupy.dispatch import uses_of
from tests.support.fake_cupy.machine import current

_MAX = 16  # plans that are kept, the last used


def use_plan(name, a, args, kwargs):
    """A transform uses its plan."""
    machine = current.machine
    plans = machine.thread.__dict__.setdefault("plans", {})
    kept = plans.setdefault(machine.thread.device, collections.OrderedDict())
    key = name, a.shape, a.dtype.char, repr(args), repr(kwargs)
    if key not in kept:
        kept[key] = ndarray(max(a.nbytes, 1), np.uint8)
        if len(kept) > _MAX:
            kept.popitem(last=False)
    kept.move_to_end(key)
    state = machine.current_stream_state()
    with machine.lock:
        touch(machine, state, uses_of("cuFFT", [], [kept[key]]), f"a work area of {name}")
