"""Kernels on arrays of bytes objects: hashing, number conversion, slicing, pattern matching, joining and splitting."""

from __future__ import annotations

import ctypes
from functools import cache
from typing import Any, NamedTuple

import numpy as np

from tfmini._src.devices.arrays import Array
from tfmini._src.devices.host.native import object_layout
from tfmini._src.devices.host.native.library import Pointer, address, bind_types, function, library

_INDEX = ctypes.c_int64


class _Bytes(ctypes.Structure):
    _fields_ = (
        *(("type", _INDEX), ("size", _INDEX), ("data", _INDEX)),
        *(("kind", Pointer), ("make", Pointer), ("keep", Pointer), ("drop", Pointer)),
    )


@cache
def _kernel_and_layout(name: str) -> Any:
    """Returns a kernel (to be called with the GIL held) and the address of the object layout; None if unavailable."""
    if not reads_bytes(name):
        return None
    kernel = bind_types(ctypes.PyDLL(library()._name)[name], releases=False)
    return kernel, ctypes.addressof(_layout())


@cache
def _layout() -> _Bytes:
    python = ctypes.pythonapi
    calls = [
        ctypes.cast(call, Pointer)
        for call in (python.PyBytes_FromStringAndSize, python.Py_IncRef, python.Py_DecRef)
    ]
    fields = object_layout.TYPE, object_layout.SIZE, object_layout.DATA
    return _Bytes(*fields, id(bytes), *calls)


def reads_bytes(name: str) -> bool:
    """Whether the kernel exists and supports the layout of bytes objects in this Python."""
    return function(name) is not None and object_layout.is_known()


def _are_objects(strings: Array) -> bool:
    is_array = isinstance(strings, np.ndarray)
    return is_array and strings.dtype.kind == "O" and strings.flags.c_contiguous


def call_kernel(name: str, strings: Array, result: np.ndarray, *args: int | np.ndarray) -> bool:
    """Calls a kernel on an array of bytes objects; returns False if NumPy or Python must process it instead."""
    return _are_objects(strings) and _call_kernel(name, strings, result, *args)


def _call_kernel(name: str, array: np.ndarray, result: np.ndarray, *args: int | np.ndarray) -> bool:
    kernel = _kernel_and_layout(name)
    if kernel is None:
        return False
    call, layout = kernel
    return bool(call(array, array.size, layout, result, *args))


_MAX_PLACES = 9


def format_numbers(values: np.ndarray, digits: int) -> np.ndarray | None:
    """Returns the decimal strings of integers, or of floats with `digits` decimals; None if Python must format them."""
    result = np.empty(values.shape, object)
    if values.dtype.kind == "i":
        integers = np.ascontiguousarray(values, np.int64)
        return result if _call_kernel("spelled_integers", integers, result) else None
    if digits > _MAX_PLACES:
        return None
    floats = np.ascontiguousarray(values, np.float64)
    return result if _call_kernel("spelled_floats", floats, result, digits) else None


def parse_numbers(name: str, strings: Any, dtype: Any, key: tuple[int, ...] = ()) -> Any:
    """Returns numbers computed from bytes objects, in the shape of the array; None if NumPy must compute them.

    Args:
      name: "fingerprints", "murmur_hashes", "sip_hashes", "lengths"; or, to parse decimal numbers, "integers" (up to 18
        digits) or "floats".
      dtype: dtype of the numbers, 64 bits.
      key: SipHash key, two words.
    """
    result, words = np.empty(np.shape(strings), dtype), np.array(key, np.uint64) if key else None
    return result if call_kernel(name, strings, result, 0 if words is None else words) else None


def join_strings(strings: Array, size: int) -> Any:
    """Returns the bytes of all strings, [strings, size]; None if the sizes differ, or Python must join them."""
    result = np.empty((np.size(strings), size), np.uint8)
    return result if call_kernel("joined_bytes", strings, result, size) else None


def slice_strings(strings: Array, start: int, size: int) -> Any:
    """Returns up to `size` bytes of each string from `start`; None if `start` is outside one or Python must slice."""
    result = np.empty(np.shape(strings), object)
    return result if start >= 0 and call_kernel("slices", strings, result, start, size) else None


def rows_joined(columns: list[Any], separator: bytes) -> Any:
    """Returns the joined strings of each row across arrays of one shape; None if Python must join them."""
    first, *remaining = columns
    if not all(map(_are_objects, remaining)):
        return None
    result, starts = (
        np.empty(np.shape(first), object),
        np.array([*map(address, remaining)], np.uintp),
    )
    separator_bytes = np.frombuffer(separator + b"\0", np.uint8)
    args = address(starts), len(remaining), address(separator_bytes), len(separator)
    return result if call_kernel("joined_rows", first, result, *args) else None


def encode_base64_strings(strings: Array, pad: bool) -> np.ndarray | None:
    """Returns the strings in web-safe base64; None if Python must encode them."""
    result = np.empty(np.shape(strings), object)
    return result if call_kernel("encode_base64", strings, result, pad) else None


def decode_base64_strings(strings: Array) -> np.ndarray | None:
    """Returns the strings decoded from web-safe base64; None if one is invalid or Python must decode them."""
    result = np.empty(np.shape(strings), object)
    return result if call_kernel("decode_base64", strings, result) else None


_MAX_SHORT_BYTES = 256  # maximum bytes of a short string
_EMPTY_PART_MODES = ("kept", "left_out", "kept_of_others")  # in the kernel's order


def split_strings(
    strings: Array, separators: bytes, empty: str
) -> tuple[Array, Array, Array] | None:
    """Returns the parts of strings between single-byte separators, as indices, values and shape of a sparse matrix with
    a row per string; None if Python must split them.

    Args:
      strings: vector.
      empty: treatment of empty parts: "kept", "left_out", or "kept_of_others" (kept unless the whole string is empty).
    """
    counts = np.empty(2, np.int64)
    args = address(_separator_table(separators)), _EMPTY_PART_MODES.index(empty)
    if (
        strings.__class__ is np.ndarray
        and strings.size == 1
        and len(strings.item()) < _MAX_SHORT_BYTES
    ):
        max_count = len(strings.item()) + 1  # upper bound for one short string, without counting
    elif call_kernel("split_strings", strings, counts, *args, 0, 0, 0):
        max_count = int(counts[0])
    else:
        return None
    values, indices = np.empty(max_count, object), np.empty((max_count, 2), np.int64)
    if not call_kernel(
        "split_strings", strings, counts, *args, address(values), address(indices), max_count
    ):
        return None
    # Fewer than `max_count` if another thread has modified the strings in the meantime.
    count, max_parts = counts.tolist()
    return indices[:count], values[:count], np.array([strings.size, max_parts], np.int64)


@cache
def _separator_table(separators: bytes) -> np.ndarray:
    """Returns a table that tells whether each byte is a separator."""
    table = np.zeros(256, np.bool_)
    table[np.frombuffer(separators, np.uint8)] = True
    return table


class Pattern(NamedTuple):
    """A regular expression of consecutive characters, each with an optional quantifier.

    characters: for each byte below 128, a bit mask of the pattern's characters that it matches.
    repeats: for each character, in bytes, its quantifier: 0 (once), 1 (optional) or 2 (any number).
    groups: for each group, with the whole match first, the indices of its first character and of the one after its
    last. begins, ends: whether matches are anchored at the start or end of the string.
    """

    characters: np.ndarray
    repeats: np.ndarray
    groups: list[tuple[int, int]]
    begins: bool
    ends: bool


def matches(pattern: Pattern, strings: Array) -> Any:
    """Returns whether a pattern matches each whole string, and the strings left undecided; None without a kernel."""
    remaining, result = (np.empty(np.shape(strings), np.bool_) for _ in range(2))
    args = address(pattern.characters), address(pattern.repeats), pattern.repeats.size
    native_matches = call_kernel("pattern_matches", strings, remaining, *args, address(result))
    return (result, remaining) if native_matches else None


def replace_pattern(
    pattern: Pattern, strings: Array, rewrite: list[bytes | int], replaces_all: bool
) -> Any:
    """Returns strings with the first match of a pattern, or all matches, replaced, and the strings left undecided; None
    if the kernel does not apply.

    Args:
      pattern: contains a character without a quantifier.
      strings: array of bytes objects.
      rewrite: texts and group numbers.
      replaces_all: whether to replace all matches.
    """
    unmatched, result = np.empty(np.shape(strings), np.bool_), np.empty(np.shape(strings), object)
    pieces = np.zeros((len(rewrite), 3), np.int64)
    for row, piece in zip(pieces, rewrite):
        row[:] = (
            (id(piece) + object_layout.DATA, 0, len(piece))
            if isinstance(piece, bytes)
            else (0, *pattern.groups[piece])
        )
    args = address(pattern.characters), address(pattern.repeats), pattern.repeats.size
    put = address(result), address(pieces), len(pieces), replaces_all, pattern.begins, pattern.ends
    return (
        (result, unmatched)
        if call_kernel("pattern_replaced", strings, unmatched, *args, *put)
        else None
    )
