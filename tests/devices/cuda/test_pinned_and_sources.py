"""Pinned memory, kernel sources with headers, launch observers, and missing libraries."""

import threading
import types

import numpy as np
import pytest

from tfmini._src.devices import launch_hooks
from tfmini._src.devices.cuda import errors, kernel_sources, libraries, nvml, pinned
from tfmini._src.devices.cuda.nvml import ManagedGpu, NvmlInfo

MIB = 1 << 20


class Pool:
    """Allocates memory and records the sizes."""

    def __init__(self):
        self.sizes = []

    def malloc(self, size):
        self.sizes.append(size)
        return bytearray(size)


@pytest.mark.parametrize(
    "size, expected",
    [
        (0, []),
        (1, [(0, 1)]),
        (MIB, [(0, MIB)]),
        (MIB + 1, [(0, MIB), (MIB, 1)]),
        (2 * MIB, [(0, 2 * MIB)]),
        (7 * MIB + 5, [(0, 4 * MIB), (4 * MIB, 2 * MIB), (6 * MIB, MIB), (7 * MIB, 5)]),
        (3 * MIB, [(0, 2 * MIB), (2 * MIB, MIB)]),
        (32 * MIB, [(0, 16 * MIB), (16 * MIB, 16 * MIB)]),
        (36 * MIB + 1, [(0, 16 * MIB), (16 * MIB, 16 * MIB), (32 * MIB, 4 * MIB), (36 * MIB, 1)]),
    ],
)
def test_copies_are_split_into_chunks(size, expected):
    assert pinned.pieces(size) == expected
    pool = Pool()
    result = [pinned.pinned_bytes(pool, part) for _, part in expected]
    assert pool.sizes == [piece.nbytes for piece in result] == [part for _, part in expected]


class Mark:
    """An event that reports when it is waited for."""

    def __init__(self, index, waited):
        self.number, self.waited = index, waited

    def synchronize(self):
        self.waited.append(self.number)


def test_ring_waits_only_for_reused_chunk(monkeypatch):
    monkeypatch.setattr(pinned, "_PART_BYTES", 2048)
    monkeypatch.setattr(pinned.PinnedRing, "MAX_COPY_BYTES", 640)
    created, waited = [], []

    def mark():
        created.append(Mark(len(created), waited))
        return created[-1]

    ring = pinned.PinnedRing(Pool(), mark)
    begins = []
    for i in range(20):
        stored = ring.stage(np.full((3, 50), i, np.int32))
        assert stored.shape == (3, 50) and stored.dtype == np.int32 and (stored == i).all()
        begins.append(stored.ctypes.data - ring._memory.ctypes.data)
        ring.turn()
    # 600 bytes take 768: two of them leave no space for a third in a part of 2,048.
    part = [0, 768]
    assert begins == [2048 * (n // 2 % 4) + part[n % 2] for n in range(20)]
    assert len(created) == 10 and waited == [0, 1, 2, 3, 4, 5, 6]


def test_headers_are_included_once(monkeypatch, tmp_path):
    (tmp_path / "a.h").write_text('#pragma once\n#include "b.h"\nint a;\n')
    (tmp_path / "b.h").write_text("#pragma once\nint b;\n")
    (tmp_path / "k.cu").write_text('#include "b.h"\n// k\n#include "a.h"\nint k;\n')
    (tmp_path / "z.cu").write_text("int z;\n")
    monkeypatch.setattr(kernel_sources, "_source_directory", lambda: tmp_path)
    assert kernel_sources.names() == ["k", "z"]
    text = kernel_sources.complete((tmp_path / "k.cu").read_text(), "k.cu")
    assert text.split("\n") == [
        '#line 1 "k.cu"',
        *('#line 1 "b.h"', "", "int b;", ""),
        *('#line 2 "k.cu"', "// k"),
        *('#line 1 "a.h"', "", "", "int a;", ""),
        *('#line 4 "k.cu"', "int k;", ""),
    ]
    monkeypatch.setattr(kernel_sources, "text", kernel_sources.text.__wrapped__)
    assert kernel_sources.text("z") == '#line 1 "z.cu"\nint z;\n'


def test_launch_hooks_are_per_thread():
    messages = []

    def tell(name):
        return lambda library, kernel: messages.append((name, library, kernel))

    launch_hooks.notify_launch("", "before")
    with launch_hooks.watch_launches(tell("outer")):
        launch_hooks.notify_launch("cuBLAS", "one")
        with (
            pytest.raises(ValueError, match="an error"),
            launch_hooks.watch_launches(tell("inner")),
        ):
            launch_hooks.notify_launch("", "two")
            raise ValueError("an error")
        launch_hooks.notify_launch("", "three")
        other = threading.Thread(target=launch_hooks.notify_launch, args=("", "elsewhere"))
        other.start()
        other.join()
    launch_hooks.notify_launch("", "after")
    assert messages == [("outer", "cuBLAS", "one"), ("inner", "", "two"), ("outer", "", "three")]
    assert not launch_hooks.watchers


class CUDARuntimeError(Exception):
    def __init__(self, status):
        super().__init__(f"error {status}")
        self.status = status


class CUDADriverError(CUDARuntimeError):
    pass


class CublasError(CUDARuntimeError):
    pass


LOST = [46, 100, 201, 214, 220, 226, 700, 702, 709, 710, 714, 715, 716, 717, 718, 719, 721]
LOST += [802, 810, 999]


def test_fatal_cuda_errors():
    """Errors that, by CUDA's documentation, require terminating the process, and a missing device."""
    for kind in (CUDARuntimeError, CUDADriverError):
        assert [n for n in range(1200) if errors.is_lost(kind(n))] == LOST
        assert [n for n in range(1200) if errors.is_out_of_memory(kind(n))] == [2]
    assert not any(errors.is_lost(CublasError(n)) for n in range(1200))
    assert [n for n in range(1200) if errors.is_out_of_memory(CublasError(n))] == [3]
    assert not errors.is_lost(ValueError("x")) and not errors.is_out_of_memory(MemoryError())


def test_missing_libraries_are_listed():
    def finder(*there, error=RuntimeError):
        def find(name):
            if name not in there:
                raise error(name)
            return name

        return find

    words = ["NVRTC", "cuBLAS", "cuSOLVER", "cuSPARSE", "cuRAND", "cuFFT", "CUDA's headers"]
    every = ("nvrtc", "cublas", "cusolver", "cusparse", "curand", "cufft")
    for there, headers, expected in (
        ((), (), words),
        (every, ("cudart",), []),
        (every[1:], ("cudart",), words[:1]),
        (every[:3], (), words[3:]),
    ):
        for error in (RuntimeError, OSError):
            pathfinder = types.SimpleNamespace(
                load_nvidia_dynamic_lib=finder(*there, error=error),
                find_nvidia_header_directory=finder(*headers, error=error),
            )
            assert list(libraries._missing_libraries(pathfinder)) == expected
    nothing = types.SimpleNamespace(
        load_nvidia_dynamic_lib=lambda name: name, find_nvidia_header_directory=lambda name: None
    )
    assert list(libraries._missing_libraries(nothing)) == words[-1:]
    for version, major in ((12040, 12), (13000, 13), (11080, 11)):
        runtime = types.SimpleNamespace(runtimeGetVersion=lambda version=version: version)
        cupy = types.SimpleNamespace(cuda=types.SimpleNamespace(runtime=runtime))
        assert libraries.cuda_major(cupy) == major


def physical(uuid, bus="0000:01:00.0", is_part=False):
    return ManagedGpu(uuid, bus, is_part, 10, 5)


@pytest.mark.parametrize(
    "entries, count",
    [
        (None, 3),
        ([], 0),
        (["0"], 1),
        (["2", "0"], 2),
        (["3"], 0),
        (["0", "3", "1"], 1),
        (["GPU-ab"], 0),
        (["GPU-abc"], 1),
        (["GPU-ABD", "0"], 2),
        (["0", "GPU-abc"], None),
        (["MIG-abc"], 0),
    ],
)
def test_visible_gpu_count(entries, count):
    known = NvmlInfo("1", (physical("abc"), physical("abd"), physical("fff")))
    assert known.count_visible(entries) == count
    assert NvmlInfo().count_visible(entries) is None


def test_one_mig_instance_is_counted():
    known = NvmlInfo(
        "1", (physical("abc", is_part=True), physical("abd", is_part=True), physical("x"))
    )
    for entries, count in (
        (None, None),
        ([], None),
        (["MIG-abc"], 1),
        (["MIG-abc", "MIG-abd"], 1),
        (["MIG-ab"], None),
        (["0"], 1),
        (["2"], None),
    ):
        assert known.count_visible(entries) == count


def test_gpu_is_found_by_uuid_then_bus_id():
    whole, part = physical("abc", "0000:01:00.0"), physical("def", "0000:02:00.0", is_part=True)
    known = NvmlInfo("1", (part, whole))
    assert known.find_gpu("abc", "other") is whole
    assert known.find_gpu("other", "0000:01:00.0") is whole
    assert known.find_gpu("def", "0000:01:00.0") is part
    assert known.find_gpu("other", "0000:02:00.0") is None
    assert NvmlInfo().find_gpu("abc", "0000:01:00.0") is None
    assert nvml.short_bus_id("00000000:3B:00.0") == "0000:3b:00.0"
