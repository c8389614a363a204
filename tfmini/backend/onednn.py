"""Convolution of float32 images by oneDNN, through ctypes, where the extra `onednn` is installed.

The package is `onednn-cpu-gomp`, whose last version is 2023.2.0 (oneDNN 3.2). Whether it is there is decided once, at
the first convolution that it would compute. A primitive is made for each set of shapes and kept. `TFMINI_ONEDNN=0` in
the environment leaves all to numpy.
"""

from __future__ import annotations

import contextlib
import ctypes
import functools
import os
from collections.abc import Iterator, Sequence
from typing import Any

import numpy as np

from tfmini import logs
from tfmini.backend.threads import thread_count
from tfmini.backend.windows.axes import Axis
from tfmini.locks import after_fork, make_lock

_PACKAGE = "onednn-cpu-gomp"
_MOST_AXES = 12
# oneapi/dnnl/dnnl_types.h.
_CPU, _IN_ORDER, _FLOAT32 = 1, 1, 3
_ANY, _CHANNELS_LAST, _ROWS_COLUMNS_DEPTH_FILTERS = 1, 22, 28
_TRAINING, _DIRECT = 64, 1
_WEIGHTS, _DIFF_WEIGHTS = 131, 132
_SRC, _DST, _ARG_WEIGHTS, _DIFF_SRC, _DIFF_DST, _ARG_DIFF_WEIGHTS = 1, 17, 33, 129, 145, 161

# Multiplications: below that numpy's path is as fast.
_LARGE = 1_000_000
# Channels: with less, numpy's forward path is faster, and its gradient of the input.
_THIN, _SHALLOW = 3, 16

_Handle = ctypes.c_void_p


class _Owned(ctypes.c_void_p):
    """A handle that is given back when nobody has it any more."""

    destroy: Any = None

    def __del__(self) -> None:
        if self.value and self.destroy is not None:
            self.destroy(self)


class _Argument(ctypes.Structure):
    _fields_ = (("number", ctypes.c_int), ("memory", _Handle))


@contextlib.contextmanager
def _sleeping_threads() -> Iterator[None]:
    """An OpenMP that is loaded within waits asleep: spinning threads would take the cores from numpy's."""
    if "OMP_WAIT_POLICY" in os.environ:
        yield
        return
    os.environ["OMP_WAIT_POLICY"] = "PASSIVE"
    try:
        yield
    finally:
        del os.environ["OMP_WAIT_POLICY"]


class OneDnnError(Exception):
    """A call of the library failed; numpy computes instead."""


class _Library:
    """The library with an engine and a stream of it; one call at a time."""

    def __init__(self, path: str):
        with _sleeping_threads():
            self.calls = ctypes.CDLL(path)
        self.calls.dnnl_primitive_desc_query_md.restype = _Handle
        self.threads = ctypes.CDLL("libgomp.so.1").omp_set_num_threads
        self.lock = make_lock()
        self.engine, self.stream = _Handle(), _Handle()
        self.check("engine_create", ctypes.byref(self.engine), _CPU, ctypes.c_size_t(0))
        self.check("stream_create", ctypes.byref(self.stream), self.engine, _IN_ORDER)

    def check(self, name: str, *arguments: Any) -> None:
        status = getattr(self.calls, f"dnnl_{name}")(*arguments)
        if status:
            raise OneDnnError(f"{name}: status {status}")

    def made(self, name: str, *arguments: Any) -> _Handle:
        """The handle that a call writes to its first argument."""
        handle = _Owned()
        self.check(name, ctypes.byref(handle), *arguments)
        kind = name.partition("_create")[0]
        if kind.endswith("primitive_desc"):
            kind = "primitive_desc"
        handle.destroy = getattr(self.calls, f"dnnl_{kind}_destroy")
        return handle

    def description(self, shape: Sequence[int], tag: int) -> _Handle:
        return self.made("memory_desc_create_with_tag", len(shape), _numbers(shape), _FLOAT32, tag)

    def memory(self, description: Any, own: bool) -> _Handle:
        """A place for an array of a user's, or memory of its own."""
        data = _Handle(2**64 - 1) if own else _Handle(0)
        return self.made("memory_create", description, self.engine, data)


def _numbers(values: Sequence[int]) -> Any:
    return (ctypes.c_int64 * _MOST_AXES)(*values)


class _State:
    def __init__(self) -> None:
        self.library: _Library | None = None
        self.decided = False

    def forget(self) -> None:
        """In a forked process, whose OpenMP has lost its threads."""
        self.library, self.decided = None, True


_state = _State()
after_fork(_state.forget)


def _found() -> str | None:
    """Where the library lies."""
    if os.environ.get("TFMINI_ONEDNN") == "0":
        return None
    import importlib.metadata  # noqa: PLC0415  thirty modules, which only this needs

    try:
        files = importlib.metadata.files(_PACKAGE) or ()
    except importlib.metadata.PackageNotFoundError:
        files = ()
    paths = (str(file.locate()) for file in files if file.name == "libdnnl.so.3")
    return next((path for path in paths if os.path.exists(path)), None)


def library() -> _Library | None:
    """The library, loaded at the first call; None where it is not installed, which is said once."""
    if not _state.decided:
        _state.decided = True
        path = _found()
        try:
            _state.library = None if path is None else _Library(path)
        except (OSError, OneDnnError) as error:
            logs.info("oneDNN cannot be loaded (%s): numpy computes convolutions.", error)
            return None
        if path is None:
            logs.info(
                "The extra `onednn` is not installed: numpy computes convolutions, which takes longer."
            )
    return _state.library


def convolution(
    x: Any, filter: Any, grad: Any, axes: Sequence[Axis], shape: Sequence[int]
) -> _Convolution | None:
    """What computes a convolution and its gradients; None where numpy does.

    Args:
      x, filter, grad: the arrays that are given, of the input, the filter and the gradient of the result; or None.
      axes: rows and columns.
      shape: [batch, depth, filters].
    """
    batch, depth, filters = shape
    rows = [axis.kernel * axis.count for axis in axes]
    if len(rows) != 2 or rows[0] * rows[1] * batch * depth * filters < _LARGE:
        return None
    # Thin images: these primitives of oneDNN take up to five times as long as numpy.
    if grad is None and depth < _THIN or x is None and depth < _SHALLOW:
        return None
    arrays = [array for array in (x, filter, grad) if array is not None]
    if not all(
        isinstance(array, np.ndarray) and array.dtype == np.float32 and array.flags.c_contiguous
        for array in arrays
    ):
        return None
    found = library()
    if found is None:
        return None
    try:
        return _prepared(found, tuple(axes), batch, depth, filters)
    except OneDnnError:
        return None


@functools.lru_cache(maxsize=128)
def _prepared(
    library: _Library, axes: tuple[Axis, ...], batch: int, depth: int, filters: int
) -> _Convolution:
    return _Convolution(library, axes, batch, depth, filters)


class _Convolution:
    """The primitives for one set of shapes."""

    def __init__(
        self, library: _Library, axes: tuple[Axis, ...], batch: int, depth: int, filters: int
    ):
        self.library = library
        sizes, counts = [axis.size for axis in axes], [axis.count for axis in axes]
        kernels = [axis.kernel for axis in axes]
        self.x_shape, self.grad_shape = (batch, *sizes, depth), (batch, *counts, filters)
        self.filter_shape = (*kernels, depth, filters)
        weights = (filters, depth, *kernels)
        self.x = library.description((batch, depth, *sizes), _CHANNELS_LAST)
        self.y = library.description((batch, filters, *counts), _CHANNELS_LAST)
        self.given = library.description(weights, _ROWS_COLUMNS_DEPTH_FILTERS)
        self.best = library.description(weights, _ANY)
        self.places = [
            _numbers([axis.stride for axis in axes]),
            _numbers([axis.dilation - 1 for axis in axes]),
            _numbers([axis.before for axis in axes]),
            _numbers([axis.behind for axis in axes]),
            None,
        ]
        self.hint = library.made(
            "convolution_forward_primitive_desc_create",
            library.engine,
            _TRAINING,
            _DIRECT,
            self.x,
            self.best,
            None,
            self.y,
            *self.places,
        )

    @functools.cached_property
    def _forward(self) -> _WithWeights:
        return _WithWeights(self, self.hint, _SRC, self.x, _DST, self.y)

    @functools.cached_property
    def _for_input(self) -> _WithWeights:
        description = self._backward("data", self.x, self.best, self.y)
        return _WithWeights(self, description, _DIFF_DST, self.y, _DIFF_SRC, self.x)

    @functools.cached_property
    def _for_filter(self) -> _ForWeights:
        description = self._backward("weights", self.x, self.best, None, self.y)
        return _ForWeights(self, description)

    def _backward(self, what: str, *descriptions: Any) -> _Handle:
        return self.library.made(
            f"convolution_backward_{what}_primitive_desc_create",
            self.library.engine,
            _DIRECT,
            *descriptions,
            *self.places[:-1],
            self.hint,
            None,
        )

    def forward(self, x: np.ndarray, filter: np.ndarray) -> np.ndarray:
        """The convolution."""
        result = np.empty(self.grad_shape, np.float32)
        with self.library.lock:
            self._forward.run(x, filter, result)
        return result

    def input_gradient(self, filter: np.ndarray, grad: np.ndarray) -> np.ndarray:
        result = np.empty(self.x_shape, np.float32)
        with self.library.lock:
            self._for_input.run(grad, filter, result)
        return result

    def filter_gradient(self, x: np.ndarray, grad: np.ndarray) -> np.ndarray:
        result = np.empty(self.filter_shape, np.float32)
        with self.library.lock:
            self._for_filter.run(x, grad, result)
        return result


class _Steps:
    """Primitives that run one after the other."""

    def __init__(self, library: _Library):
        self.library = library
        self.steps: list[tuple[_Handle, int, Any]] = []

    def add(self, description: _Handle, *arguments: tuple[int, _Handle]) -> None:
        primitive = self.library.made("primitive_create", description)
        array = (_Argument * len(arguments))(*(_Argument(*pair) for pair in arguments))
        self.steps.append((primitive, len(arguments), array))

    def add_reorder(self, source: Any, target: Any, read: _Handle, written: _Handle) -> None:
        engine = self.library.engine
        description = self.library.made(
            "reorder_primitive_desc_create", source, engine, target, engine, None
        )
        self.add(description, (_SRC, read), (_DST, written))

    def run(self, *arrays: tuple[_Handle, np.ndarray]) -> None:
        library = self.library
        library.threads(thread_count())
        for memory, array in arrays:
            library.check("memory_set_data_handle", memory, _Handle(array.ctypes.data))
        for primitive, count, arguments in self.steps:
            library.check("primitive_execute", primitive, library.stream, count, arguments)
        library.check("stream_wait", library.stream)


class _WithWeights:
    """A primitive that reads images and a filter, which is laid out anew for it first."""

    def __init__(
        self, owner: _Convolution, description: _Handle, read: int, x: Any, written: int, y: Any
    ):
        library = owner.library
        wanted = _Handle(library.calls.dnnl_primitive_desc_query_md(description, _WEIGHTS, 0))
        self.x, self.y = library.memory(x, False), library.memory(y, False)
        self.filter, self.turned = library.memory(owner.given, False), library.memory(wanted, True)
        self.steps = _Steps(library)
        self.steps.add_reorder(owner.given, wanted, self.filter, self.turned)
        self.steps.add(description, (read, self.x), (_ARG_WEIGHTS, self.turned), (written, self.y))

    def run(self, x: np.ndarray, filter: np.ndarray, result: np.ndarray) -> None:
        self.steps.run((self.x, x), (self.filter, filter), (self.y, result))


class _ForWeights:
    """The primitive that computes a filter's gradient, which is laid out as a filter after it."""

    def __init__(self, owner: _Convolution, description: _Handle):
        library = owner.library
        made = _Handle(library.calls.dnnl_primitive_desc_query_md(description, _DIFF_WEIGHTS, 0))
        self.x, self.y = library.memory(owner.x, False), library.memory(owner.y, False)
        self.turned, self.filter = library.memory(made, True), library.memory(owner.given, False)
        self.steps = _Steps(library)
        arguments = ((_SRC, self.x), (_DIFF_DST, self.y), (_ARG_DIFF_WEIGHTS, self.turned))
        self.steps.add(description, *arguments)
        self.steps.add_reorder(made, owner.given, self.turned, self.filter)

    def run(self, x: np.ndarray, grad: np.ndarray, result: np.ndarray) -> None:
        self.steps.run((self.x, x), (self.y, grad), (self.filter, result))
