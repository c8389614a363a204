"""oneDNN through ctypes: loading the library, array descriptions, and sequences of primitives.

The package is `onednn-cpu-gomp`, whose last version is 2023.2.0 (oneDNN 3.2). It is located once, before the first
computation that it supports. `TFMINI_ONEDNN=0` in the environment disables it.
"""

from __future__ import annotations

import contextlib
import ctypes
import os
import sys
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from typing import Any

import numpy as np

from tfmini._src.base import logs
from tfmini._src.base.locks import after_fork, make_rlock
from tfmini._src.devices.arrays import Array
from tfmini._src.devices.host.native.library import address
from tfmini._src.devices.host.threads import thread_count

_PACKAGE = "onednn_cpu_gomp-"
_MAX_AXES, ALL_THREADS = 12, 1 << 16
# oneapi/dnnl/dnnl_types.h.
_CPU, _IN_ORDER_STREAM, _FLOAT32, _USER_SCRATCHPAD = 1, 1, 3, 1
_QUERY_SCRATCHPAD, _SCRATCHPAD = 136, 80
_MEMORY_ALLOCATE = 2**64 - 1  # DNNL_MEMORY_ALLOCATE
ANY, VECTOR, ROWS, CHANNELS_LAST, ROWS_COLUMNS_DEPTH_FILTERS = 1, 2, 3, 22, 28
FORWARD, INFERENCE, BACKWARD = 64, 96, 128
SRC, DST, WEIGHTS, DIFF_SRC, DIFF_DST, DIFF_WEIGHTS = 1, 17, 33, 129, 145, 161

Handle = ctypes.c_void_p


class _OwnedHandle(ctypes.c_void_p):
    """A handle that is released when it is no longer referenced."""

    destroy: Any = None

    def __del__(self) -> None:
        if self.value and self.destroy is not None:
            self.destroy(self)


class _Argument(ctypes.Structure):
    _fields_ = (("number", ctypes.c_int), ("memory", Handle))


@contextlib.contextmanager
def _sleeping_threads() -> Iterator[None]:
    """Context manager that makes OpenMP, if being loaded, sleep while waiting, since spinning would slow numpy."""
    if "OMP_WAIT_POLICY" in os.environ:
        yield
        return
    os.environ["OMP_WAIT_POLICY"] = "PASSIVE"
    try:
        yield
    finally:
        del os.environ["OMP_WAIT_POLICY"]


class OneDnnError(Exception):
    """Raised when a library call fails; numpy computes instead."""


class Library:
    """The library and an engine; thread-safe."""

    def __init__(self, path: str):
        with _sleeping_threads():
            self.calls = ctypes.CDLL(path)
        self.calls.dnnl_primitive_desc_query_md.restype = Handle
        self.execute = self.calls.dnnl_primitive_execute
        self.execute.argtypes = Handle, Handle, ctypes.c_int, Handle
        # Calls shorter than releasing the GIL, which another thread may take; a step makes hundreds of them.
        short_calls = ctypes.PyDLL(path)
        self.set_data = short_calls.dnnl_memory_set_data_handle
        self.set_data.argtypes = Handle, Handle
        self.wait = short_calls.dnnl_stream_wait  # no waiting: `execute` returns when it is done
        self.compare = short_calls.memcmp  # from the C library, which oneDNN loads
        self.compare.argtypes = Handle, Handle, ctypes.c_size_t
        self.threads = ctypes.PyDLL("libgomp.so.1").omp_set_num_threads
        self.engine = Handle()
        self.check("engine_create", ctypes.byref(self.engine), _CPU, ctypes.c_size_t(0))
        self.calls.dnnl_memory_desc_get_size.restype = ctypes.c_size_t
        # Each run passes a scratchpad to its primitive: oneDNN's own scratchpad belongs to the creating thread,
        # but any thread may run the primitive.
        self.attributes = self.create("primitive_attr_create")
        self.check("primitive_attr_set_scratchpad_mode", self.attributes, _USER_SCRATCHPAD)

    def check(self, name: str, *arguments: Any) -> None:
        status = getattr(self.calls, f"dnnl_{name}")(*arguments)
        if status:
            raise OneDnnError(f"{name}: status {status}")

    def create(self, name: str, *arguments: Any) -> Handle:
        """Returns the handle that a call writes to its first argument."""
        handle = _OwnedHandle()
        self.check(name, ctypes.byref(handle), *arguments)
        type_name = name.partition("_create")[0]
        if type_name.endswith("primitive_desc"):
            type_name = "primitive_desc"
        handle.destroy = getattr(self.calls, f"dnnl_{type_name}_destroy")
        return handle

    def describe_primitive(
        self, kind: str, *arguments: Any, max_threads: int = ALL_THREADS
    ) -> Handle:
        """Creates the description of a primitive that divides its work among up to `max_threads` library threads."""
        self.threads(min(thread_count(), max_threads))
        return self.create(
            f"{kind}_primitive_desc_create", self.engine, *arguments, self.attributes
        )

    def description(self, shape: Sequence[int], tag: int) -> Handle:
        """Returns the description of an array: its shape and memory layout, one of the layouts above."""
        return self.create("memory_desc_create_with_tag", len(shape), numbers(shape), _FLOAT32, tag)

    def with_strides(self, shape: Sequence[int], strides: Sequence[int]) -> Handle:
        """Returns the description of an array with these strides, in elements."""
        dims = numbers(shape), _FLOAT32, numbers(strides)
        return self.create("memory_desc_create_with_strides", len(shape), *dims)

    def query_description(self, description: Handle, query: int) -> Handle:
        """Returns the description of an array whose layout the primitive chose."""
        return Handle(self.calls.dnnl_primitive_desc_query_md(description, query, 0))


def numbers(values: Sequence[int]) -> Any:
    return (ctypes.c_int64 * _MAX_AXES)(*values)


class _State:
    def __init__(self) -> None:
        self.library: Library | None = None
        self.decided = False

    def forget(self) -> None:
        """Resets the state in a forked process, where the OpenMP threads no longer exist."""
        self.library, self.decided = None, True


_state = _State()
_loading = make_rlock()
after_fork(_state.forget)


def _library_path() -> str | None:
    """Returns the path of the library; None if it is not installed or is disabled."""
    if os.environ.get("TFMINI_ONEDNN") == "0":
        return None
    for directory in sys.path:
        try:
            names = os.listdir(directory or os.curdir)
        except OSError:
            continue
        for name in names:
            if name.startswith(_PACKAGE) and name.endswith(".dist-info"):
                path = _find_listed_library(directory, os.path.join(directory, name, "RECORD"))
                if path is not None:
                    return path
    return None


def _find_listed_library(directory: str, record: str) -> str | None:
    """Finds the library's path in a package's file list; `importlib.metadata` would load thirty modules for this."""
    try:
        with open(record, encoding="utf-8") as lines:
            paths = [line.split(",")[0] for line in lines]
    except OSError:
        return None
    candidates = (os.path.join(directory, path) for path in paths if path.endswith("/libdnnl.so.3"))
    return next((os.path.normpath(path) for path in candidates if os.path.exists(path)), None)


def library() -> Library | None:
    """Returns the library, loaded by the first call; None if it is not installed, after logging one message."""
    if not _state.decided:
        with _loading:
            if not _state.decided:
                _state.library = _load_library()
                _state.decided = True
    return _state.library


def _load_library() -> Library | None:
    path = _library_path()
    if path is None:
        logs.info(
            "The extra `onednn` is not installed; convolutions fall back to NumPy, which is slower."
        )
        return None
    try:
        return Library(path)
    except (OSError, OneDnnError) as error:
        logs.info("oneDNN failed to load (%s); convolutions fall back to NumPy.", error)
        return None


def library_for(*arrays: Array) -> Library | None:
    """Returns the library if it supports all these arrays (float32, contiguous), else None."""
    for array in arrays:
        if not (
            isinstance(array, np.ndarray) and array.dtype == np.float32 and array.flags.c_contiguous
        ):
            return None
    return library()


@dataclass(frozen=True, eq=False)
class Argument:
    """An array read or written by a primitive: the caller's or, if `is_internal`, passed between two primitives."""

    description: Any
    is_internal: bool = False


@dataclass
class Steps:
    """Primitives that run in sequence.

    Threads may run the same steps concurrently: each run has its own buffers, which later runs reuse.
    """

    library: Library
    max_threads: int = ALL_THREADS
    primitives: list[tuple[Handle, tuple[tuple[int, Argument], ...]]] = field(default_factory=list)
    # Keep the arguments' descriptions alive.
    descriptions: list[Handle] = field(default_factory=list)
    scratchpads: dict[Argument, int] = field(default_factory=dict)  # their sizes in bytes
    _idle: list[_Buffers] = field(default_factory=list)

    def add(self, description: Handle, *arguments: tuple[int, Argument]) -> None:
        library = self.library
        library.threads(min(thread_count(), self.max_threads))
        primitive = library.create("primitive_create", description)
        scratchpad = Argument(library.query_description(description, _QUERY_SCRATCHPAD))
        if size := library.calls.dnnl_memory_desc_get_size(scratchpad.description):
            arguments = (*arguments, (_SCRATCHPAD, scratchpad))
            self.scratchpads[scratchpad] = size
        self.primitives.append((primitive, arguments))
        self.descriptions.append(description)

    def add_reorder(self, source: Argument, target: Argument) -> None:
        engine, attributes = self.library.engine, self.library.attributes
        description = self.library.create(
            "reorder_primitive_desc_create",
            source.description,
            engine,
            target.description,
            engine,
            attributes,
        )
        self.add(description, (SRC, source), (DST, target))

    def run(self, *arrays: tuple[Argument, np.ndarray]) -> None:
        self.library.threads(min(thread_count(), self.max_threads))
        try:
            buffers = self._idle.pop()
        except IndexError:
            buffers = _Buffers(self)
        buffers.run(arrays)
        self._idle.append(buffers)


class _Buffers:
    """The state of one run of steps: a stream, and oneDNN's memory objects for the arrays."""

    def __init__(self, steps: Steps):
        self.library, self.scratchpads = steps.library, steps.scratchpads
        self.stream = self.library.create("stream_create", self.library.engine, _IN_ORDER_STREAM)
        self.memories: dict[Argument, Handle] = {}
        self.calls: list[tuple[Handle, Handle, int, Any]] = []  # arguments of `execute`
        for primitive, arguments in steps.primitives:
            pairs = [_Argument(index, self._memory(argument)) for index, argument in arguments]
            self.calls.append(
                (primitive, self.stream, len(pairs), (_Argument * len(pairs))(*pairs))
            )

    def _memory(self, argument: Argument) -> Handle:
        if argument not in self.memories:
            data = Handle(_MEMORY_ALLOCATE if argument.is_internal else 0)
            self.memories[argument] = self.library.create(
                "memory_create", argument.description, self.library.engine, data
            )
        return self.memories[argument]

    def run(self, arrays: Sequence[tuple[Argument, np.ndarray]]) -> None:
        set_data, execute, memories = self.library.set_data, self.library.execute, self.memories
        status = 0
        for argument, array in arrays:
            status |= set_data(memories[argument], address(array))
        if self.scratchpads:
            scratch = np.empty(max(self.scratchpads.values()), np.uint8)
            for argument in self.scratchpads:
                status |= set_data(memories[argument], address(scratch))
        for call in self.calls:
            status |= execute(*call)
        if status | self.library.wait(self.stream):
            raise OneDnnError(f"a primitive failed: status {status}")
