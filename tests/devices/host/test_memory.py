"""The heap retains freed memory."""

import platform
import subprocess
import sys

import pytest

from tfmini._src.devices.host import memory

PROGRAM = """
import resource
import numpy as np
from tfmini._src.devices.host.memory import keep_freed_memory
kept = keep_freed_memory()
def faults():
    return resource.getrusage(resource.RUSAGE_SELF).ru_minflt
for _ in range(3):
    np.ones(4_000_000, np.float32)
before = faults()
for _ in range(5):
    np.ones(4_000_000, np.float32)
print(int(kept), faults() - before)
"""


def test_freed_memory_is_reused():
    if platform.libc_ver()[0] != "glibc":
        pytest.skip("not glibc")
    assert memory.keep_freed_memory()
    out = subprocess.run(
        [sys.executable, "-c", PROGRAM], capture_output=True, text=True, check=True
    )
    kept, faults = map(int, out.stdout.split())
    assert kept == 1
    assert faults < 2000  # five arrays of 3,906 pages each


TRIMMED = """
from concurrent.futures import ThreadPoolExecutor
import numpy as np
from tfmini._src.devices.host.memory import release_freed_memory, keep_freed_memory, resident_bytes
keep_freed_memory()
with ThreadPoolExecutor(3) as threads:
    parts = list(threads.map(lambda _: [np.ones(250_000, np.float32) for _ in range(50)], range(3)))
    most = resident_bytes()
    del parts
    kept = resident_bytes()
    release_freed_memory()
    print(most - kept, kept - resident_bytes())
"""


def test_memory_of_all_threads_is_trimmed():
    if platform.libc_ver()[0] != "glibc":
        pytest.skip("not glibc")
    out = subprocess.run(
        [sys.executable, "-c", TRIMMED], capture_output=True, text=True, check=True
    )
    freed, given_back = map(int, out.stdout.split())
    assert freed < 20 << 20
    assert given_back > 100 << 20


def test_windows_keeps_default_allocator(monkeypatch):
    """On Windows, `ctypes.CDLL(None)` raises."""
    monkeypatch.setattr(sys, "platform", "win32")
    monkeypatch.setattr(memory.ctypes, "CDLL", lambda _: pytest.fail("no library to open"))
    assert memory.keep_freed_memory.__wrapped__() is False
    memory.release_freed_memory()
