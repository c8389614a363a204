"""A strict CuPy emulator on NumPy: several devices, and errors where hardware may silently go wrong.

    with fake_cupy.installed(devices=2) as machine:
        import cupy
        ...
        machine.counters.launches, machine.forbid_sync(), ...

Checks: the current device, mixing with other devices' or host arrays, ordering of two streams' work on the same
memory, forbidden host synchronization, memory limits, use after free, and operations that cannot be captured.
Provides exactly the API of the real CuPy (signatures.txt). All work runs immediately and in order; vector clocks
(clocks.py) determine what could have overlapped, so verdicts are deterministic.

Not modeled: time, hence actual overlap; host threads (a wait of one counts for all); kernel accesses
through addresses in tables (recorded as a write of the first byte); columns of one array on two streams (the bytes
between them count as used); memory allocated by libraries; cuRAND's random numbers; hardware rounding of float16
and float32; ElementwiseKernel.

machine, devices, streams, clocks, shadow: ordering. memory, pool, pinned, copies: memory by address. storage,
array, dispatch, indexing, dtypes: arrays. functions, ufuncs, creation, choosing, overrides, padding, transforms,
decompositions, extras: functions. capture, raw, nccl, runtime: the rest of cupy.cuda. cublas, cublas_lt, cudnn:
libraries for ctypes. modules: the modules themselves.
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
    "install",
]

MODULES = modules.build()


@contextlib.contextmanager
def install(devices=2, memory=GIGABYTE, compute_capability="90", driver=True):
    """Context in which `import cupy` returns the emulator with `devices` new devices; yields the `Machine`.

    memory: bytes per device, or a list with the bytes of each. driver: whether a driver is installed; without one,
    there are no devices and CUDA reports why. Reraises swallowed violations at the end.
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
