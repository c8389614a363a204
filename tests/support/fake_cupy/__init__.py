"""A strict stand-in for CuPy over numpy: several devices, and failures where a real card may stay silent.

    with fake_cupy.installed(devices=2) as machine:
        import cupy
        ...
        machine.counters.launches, machine.forbid_sync(), ...

What it judges: which device is current, what other device's or the host's arrays are mixed in, whether
work on two streams is ordered where it touches the same memory, whether the host waits where it promised
not to, memory over a limit, memory used after it was returned, what cannot be captured. It offers only
what the real CuPy offers (signatures.txt). All work is done at once and in order; vector clocks (clocks.py)
decide what could have overlapped, so a verdict never depends on luck.

What it does not model: time, and so what overlaps in fact; threads of the host (all share what one of them
has waited for); what a kernel reads through addresses in tables (noted as a write of the first byte there);
columns of one array on two streams (the bytes between them count as used); memory that a library takes for
itself; random numbers as cuRAND draws them; float16 and float32 as a card rounds them; ElementwiseKernel.

machine, devices, streams, clocks, shadow: who may know what. memory, pool, pinned, copies: memory by address.
storage, array, dispatch, indexing, dtypes: arrays. functions, ufuncs, creation, choosing, overrides, padding,
transforms, decompositions, extras: functions.
capture, raw, nccl, runtime: the rest of cupy.cuda. cublas, cublas_lt, cudnn: what ctypes would find. modules: all as
modules.
"""

import contextlib
import sys

from tests.support.fake_cupy import cublas, cublas_lt, cudnn, modules, pinned, pool
from tests.support.fake_cupy.machine import GIGABYTE, Machine, current
from tests.support.fake_cupy.violations import (
    CrossDeviceError,
    HiddenSyncError,
    HostRaceError,
    NotLaunchedError,
    RaceError,
    UndefinedError,
    UseAfterFreeError,
    Violation,
)

__all__ = [
    "CrossDeviceError",
    "HiddenSyncError",
    "HostRaceError",
    "NotLaunchedError",
    "RaceError",
    "UndefinedError",
    "UseAfterFreeError",
    "Violation",
    "cublas",
    "cublas_lt",
    "cudnn",
    "installed",
]

MODULES = modules.build()


@contextlib.contextmanager
def installed(devices=2, memory=GIGABYTE, compute_capability="90", driver=True):
    """Within it `import cupy` gives the fake, with so many fresh devices; yields the `Machine`.

    memory: bytes of each device, or a list with the bytes of each. driver: whether there is one; without,
    there are no devices, and CUDA says why. A violation that someone swallowed is
    raised at the end.
    """
    machine = Machine(devices if driver else 0, memory, compute_capability, driver)
    before = {
        name: module
        for name, module in sys.modules.items()
        if name.startswith("cup") and name.split(".")[0] in ("cupy", "cupyx", "cupy_backends")
    }
    for name in before:
        del sys.modules[name]
    sys.modules.update(MODULES)
    previous, current.machine = current.machine, machine
    _prepare(machine)
    try:
        yield machine
    finally:
        current.machine = previous
        machine.closed = True
        for name in MODULES:
            sys.modules.pop(name, None)
        sys.modules.update(before)
    if machine.violations:
        raise machine.violations[0]


def _prepare(machine):
    machine.default_pool = pool.MemoryPool()
    machine.default_allocator = machine.default_pool.malloc
    machine.default_pinned_pool = pinned.PinnedMemoryPool()
    machine.pinned_allocator = machine.default_pinned_pool.malloc
