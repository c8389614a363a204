"""Loads the native library: the build for this processor, its functions, and addresses of arrays.

`TFMINI_NATIVE` in the environment selects a build ("generic", "v3", "v4"), or none with "0". A failure to load is
reported in a warning, and numpy is used instead.
"""

from __future__ import annotations

import ctypes
import os
import struct
from collections.abc import Callable, Sequence
from functools import cache
from typing import Any

import numpy as np

from tfmini._src.base import logs
from tfmini._src.devices.host.native import builtin_functions, object_layout

# Keyed by dtype, because NumPy takes as long to compute a dtype's name as a kernel call takes.
SUFFIXES: dict[np.dtype, str] = {
    np.dtype(np.float32): "f32",
    np.dtype(np.float64): "f64",
    np.dtype(np.int32): "i32",
    np.dtype(np.int64): "i64",
}
FLOATS = frozenset(dtype for dtype in SUFFIXES if dtype.kind == "f")
IDS = frozenset(dtype for dtype in SUFFIXES if dtype.kind == "i")

Pointer = ctypes.c_void_p


class _Address(Pointer):
    """The ctypes type of an address argument: a number, bytes, None, or an array, for the address of its elements."""

    @classmethod
    def from_param(cls, value: Any) -> Any:
        is_array = isinstance(value, np.ndarray)
        return Pointer.from_param(object_layout.documented_address(value) if is_array else value)


_LEVELS = {"v4": 4, "v3": 3}
_DIRECTORY = os.path.dirname(__file__)
_SOURCES = os.path.join(_DIRECTORY, *[os.pardir] * 5, "kernels", "cpu")  # in a checkout
# `ci/generate native_interface` writes it: the version of the interface, then a line for each function, with the types
# of its result and its arguments.
_DECLARATIONS = os.path.join(_DIRECTORY, "declarations.txt")
_CTYPES: dict[str, Any] = {
    "void": None,
    "text": ctypes.c_char_p,
    "p": _Address,
    "b": ctypes.c_bool,
    "i": ctypes.c_int,
    "q": ctypes.c_int64,
    "Q": ctypes.c_uint64,
    "f": ctypes.c_float,
    "d": ctypes.c_double,
}


@cache
def _declarations() -> tuple[int, dict[str, list[str]]]:
    """Returns the interface version, and the result and argument types of each function."""
    with open(_DECLARATIONS, encoding="ascii") as file:
        version, *functions = file.read().splitlines()
    return int(version), {name: types for name, *types in map(str.split, functions)}


def _path(build: str) -> str:
    return os.path.join(_DIRECTORY, f"libtfmini_{build}.so")


def _check_length(path: str) -> None:
    """Raises OSError for a truncated file on Linux, since loading it would crash the process.

    The linker writes the section table last; its position and length are in the header (ELF-64).
    """
    with open(path, "rb") as file:
        head = file.read(64)
    if len(head) == 64 and head.startswith(b"\x7fELF\2\1"):
        offset, entry_size, count = struct.unpack_from("<40xQ10xHH", head)
        missing = offset + entry_size * count - os.path.getsize(path)
        if missing > 0:
            raise OSError(f"truncated by {missing} bytes")


def _open(build: str) -> Any:
    """Returns the library of a build; None if it is missing, fails to load, or was built by another tfmini version."""
    path = _path(build)
    if not os.path.exists(path):
        return None
    try:
        _check_length(path)
        loaded = ctypes.CDLL(path)
    except OSError as error:
        logs.warning(
            "Native kernels in %s failed to load; using slower ones or NumPy: %s",
            path,
            error,
        )
        return None
    if not hasattr(loaded, "interface") or loaded.interface() != _declarations()[0]:
        _warn_outdated()
        return None
    builtin_functions.describe(loaded)
    return loaded


@cache
def build_name() -> str:
    """Returns the build in use: "generic", "v3", "v4", or "" if numpy computes everything."""
    requested = os.environ.get("TFMINI_NATIVE", "")
    if requested == "0":
        return ""
    generic = _open("generic")
    level = generic.processor_level() if generic else 0
    if requested not in ("", "1"):
        return _requested_build(requested, level)
    for build, needed in _LEVELS.items():
        if level >= needed and _open(build):
            return build
    return "generic" if generic else ""


def _requested_build(build: str, level: int) -> str:
    """Returns the build requested by TFMINI_NATIVE; "" if it is missing or the processor lacks its instructions."""
    if not os.path.exists(_path(build)):
        reason = "no such build"
    elif level < _LEVELS.get(build, 0):
        reason = "the processor lacks its instructions"
    else:
        return build if _open(build) else ""
    logs.warning("TFMINI_NATIVE=%s: %s; using NumPy", build, reason)
    return ""


def numpy_reason() -> str:
    """Explains why there is no library if `build_name` is ""."""
    requested = os.environ.get("TFMINI_NATIVE", "")
    if requested not in ("", "1"):
        return f"TFMINI_NATIVE={requested}"
    if any(os.path.exists(_path(build)) for build in ("generic", *_LEVELS)):
        return "the installed ones are incomplete, fail to load or belong to another tfmini"
    if os.path.isdir(_SOURCES):
        return "not built in this checkout: run `python setup.py build_ext --inplace`, with a C++17 compiler"
    return "tfmini was installed from source without a C++17 compiler"


@cache
def library() -> Any:
    """Returns the library; None if it is not available."""
    name = build_name()
    return _open(name) if name else None


@cache
def function(name: str) -> Callable[..., Any] | None:
    """Returns a function of the library; None if there is no library or it lacks the function."""
    calls = library()
    if calls is None:
        return None
    try:
        return bind_types(calls[name])
    except AttributeError:
        _warn_outdated()
        return None


def bind_types(function: Any, releases: bool = True) -> Any:
    """Returns a function of the library, called with its declared types; with `releases`, it releases the GIL."""
    result, *arguments = _declarations()[1][function.__name__]
    letters = "".join(arguments)
    function.restype = _CTYPES[result]
    function.argtypes = [_CTYPES[letter] for letter in letters]
    return builtin_functions.builtin(library(), function, result, letters, releases)


@cache
def _warn_outdated() -> None:
    logs.warning(
        "Native kernels next to %s were built by an older tfmini; using NumPy for the rest. "
        "Reinstall to rebuild them.",
        _DIRECTORY,
    )


CONTIGUOUS = 0x101  # NPY_ARRAY_C_CONTIGUOUS and NPY_ARRAY_ALIGNED of ndarraytypes.h


def is_contiguous(array: np.ndarray) -> bool:
    """Whether an array is contiguous, so that a kernel can use its address; false for numpy scalars."""
    return isinstance(array, np.ndarray) and array.flags.num & CONTIGUOUS == CONTIGUOUS


_DATA = object_layout.ARRAY_DATA
_pointer_at = ctypes.c_size_t.from_address


def _field_address(array: np.ndarray) -> int:
    return _pointer_at(id(array) + _DATA).value


def _field_addresses(arrays: Sequence[np.ndarray]) -> list[int]:
    return [_pointer_at(id(array) + _DATA).value for array in arrays]


def _documented_addresses(arrays: Sequence[np.ndarray]) -> list[int]:
    return [object_layout.documented_address(array) for array in arrays]


# address(array): the address of an array's elements.
address: Callable[[np.ndarray], int] = object_layout.documented_address
addresses: Callable[[Sequence[np.ndarray]], list[int]] = _documented_addresses
# handle(array): a kernel argument for an array: the kernel reads the address at HANDLE_FIELD of it; if the field
# is -1, the handle is the address.
handle: Callable[[np.ndarray], int] = object_layout.documented_address
HANDLE_FIELD = -1
if object_layout.are_arrays_known():
    address, addresses = _field_address, _field_addresses
    handle, HANDLE_FIELD = id, _DATA


_FLOAT32 = np.dtype(np.float32)


def float_kernel(name: str, *arrays: np.ndarray | None) -> Callable[..., Any] | None:
    """Returns a kernel for contiguous float32 arrays, some of which may be None; None if NumPy must compute."""
    for array in arrays:
        if array is None:
            continue
        if not is_contiguous(array) or not array.size:
            return None
        if array.dtype is not _FLOAT32 and array.dtype != _FLOAT32:  # the identity check is faster
            return None
    return function(name)
