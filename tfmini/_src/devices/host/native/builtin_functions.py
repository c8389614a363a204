"""Creates Python builtin functions, which call kernels ten times faster than ctypes."""

from __future__ import annotations

import ctypes
from functools import cache
from typing import Any

import numpy as np

from tfmini._src.base.locks import make_lock
from tfmini._src.devices.host.native import object_layout

_Pointer = ctypes.c_void_p
_PYTHON_FUNCTIONS = (
    *("PyLong_AsUnsignedLongLongMask", "PyFloat_AsDouble", "PyLong_FromLongLong"),
    *("PyLong_FromUnsignedLongLong", "PyBool_FromLong", "Py_IncRef"),
    *("PyEval_SaveThread", "PyEval_RestoreThread", "PyObject_Vectorcall"),
)
_TYPES = int, bool, float, bytes, np.ndarray
# By address and types: the name and kernel, which the library refers to, and the builtin function. Reopening a library
# yields the same functions.
_builtins: dict[tuple[Any, ...], tuple[bytes, Any, Any]] = {}
_described_handles: set[int] = set()  # handles of libraries
_lock = make_lock()


class _Python(ctypes.Structure):
    _fields_ = (
        ("type_field", ctypes.c_int64),
        ("bytes_field", ctypes.c_int64),
        ("array_field", ctypes.c_int64),
        *((f"{element_type.__name__}_type", _Pointer) for element_type in _TYPES),
        ("none", _Pointer),
        *((name, _Pointer) for name in _PYTHON_FUNCTIONS),
    )


@cache
def _python() -> _Python | None:
    """Returns the object layout and C API of this Python; None for an unknown layout."""
    if not (object_layout.is_known() and object_layout.are_arrays_known()):
        return None
    fields = object_layout.TYPE, object_layout.DATA, object_layout.ARRAY_DATA
    calls = [ctypes.cast(getattr(ctypes.pythonapi, name), _Pointer) for name in _PYTHON_FUNCTIONS]
    return _Python(*fields, *map(id, _TYPES), id(None), *calls)


@cache
def _builtin_maker() -> Any:
    make = ctypes.PyDLL(None).PyCFunction_NewEx
    make.restype, make.argtypes = ctypes.py_object, [_Pointer, ctypes.py_object, _Pointer]
    return make


def describe(library: Any) -> None:
    """Passes this Python's layout to a library, once, before it creates builtin functions that other threads call."""
    python = _python()
    with _lock:
        if python is not None and library._handle not in _described_handles:
            library.describe_python(ctypes.byref(python))
            _described_handles.add(library._handle)


def builtin(library: Any, kernel: Any, result: str, arguments: str, releases: bool) -> Any:
    """Returns a builtin function that calls a kernel (a typed ctypes function), or the kernel itself if unavailable.

    `result` and `arguments` are its types as in declarations.txt. With `releases`, the function releases the GIL.
    """
    if _python() is None:
        return kernel
    address = ctypes.cast(kernel, _Pointer)
    key = address.value, result, arguments, releases
    if (cached := _builtins.get(key)) is not None:
        return cached[-1]
    name = kernel.__name__.encode()
    method_of = library.method_of
    method_of.restype = ctypes.c_int64
    method_of.argtypes = [*[_Pointer] * 2, *[ctypes.c_char_p] * 2, _Pointer, ctypes.c_bool]
    name_address = ctypes.cast(ctypes.c_char_p(name), _Pointer)
    args = name_address, address, result[:1].encode(), arguments.encode()
    method = method_of(*args, id(kernel), releases)
    call = _builtin_maker()(method, method, None) if method else kernel
    return _builtins.setdefault(key, (name, kernel, call))[-1]
