"""cuFFT's plans, cached by CuPy per thread and device, independent of the stream (cupy/fft/_cache.pyx, get_plan_cache;
cupy/fft/_fft.py, `keys`). A plan's work area comes from the allocator current at its creation
(cupy/cuda/cufft.pyx); each of its transforms writes it.
"""

import collections

import numpy as np

from tests.support.fake_cupy.array import ndarray
from tests.support.fake_cupy.copies import touch
from tests.support.fake_cupy.dispatch import memory_accesses
from tests.support.fake_cupy.machine import current

_MAX = 16  # cached plans, most recently used last


def use_plan(name, a, args, kwargs):
    """Records a transform's use of its plan."""
    machine = current.machine
    plans = machine.thread.__dict__.setdefault("plans", {})
    areas = plans.setdefault(machine.thread.device, collections.OrderedDict())
    key = name, a.shape, a.dtype.char, repr(args), repr(kwargs)
    if key not in areas:
        areas[key] = ndarray(max(a.nbytes, 1), np.uint8)
        if len(areas) > _MAX:
            areas.popitem(last=False)
    areas.move_to_end(key)
    state = machine.current_stream_state()
    with machine.lock:
        touch(machine, state, memory_accesses("cuFFT", [], [areas[key]]), f"a work area of {name}")
