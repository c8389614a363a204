"""Groups of elementwise operations as one call: steps on blocks that stay in the first cache."""

from __future__ import annotations

import ctypes
import struct
from collections.abc import Sequence
from functools import cache
from typing import Any

import numpy as np

from tfmini._src.devices.native.library import (
    HANDLE_FIELD,
    SUFFIXES,
    Pointer,
    address,
    function,
    handle,
    in_one_piece,
    library,
)
from tfmini._src.devices.threads import thread_count

_INDEX = ctypes.c_int64
_BLOCK = 1024  # elements: a dozen registers of floats fit the first cache
_PART = 1 << 19  # elements of a part of a large one, so that no thread is left with nothing to do
_MOST_PARTS = 64
_FEW = 1 << 10  # elements of a single operation: below, the other's call costs less
_PARALLEL = 1 << 15  # elements of one that are divided over threads


class _Program(ctypes.Structure):
    _fields_ = (
        ("steps", Pointer),
        ("count", _INDEX),
        ("inputs", _INDEX),
        ("registers", _INDEX),
        ("results", _INDEX),
        ("field", _INDEX),
    )


@cache
def operations() -> dict[str, int]:
    """The numbers of the operations by numpy's names; empty without a library."""
    names = function("program_operations", result=ctypes.c_char_p)
    if names is None or any(_kernel(suffix) is None for suffix in ("f32", "f64")):
        return {}
    return {n: i for i, n in enumerate(names().decode().split())}


def _kernel(suffix: str) -> Any:
    return function(
        f"evaluate_{suffix}",
        *(ctypes.POINTER(_Program), ctypes.c_char_p, Pointer, *(_INDEX,) * 5),
        result=ctypes.c_int,
    )


def evaluated(name: str, x: np.ndarray, few: int = _FEW) -> np.ndarray | None:
    """An operation of one operand on an array of floats; None where its own library computes it: of fewer elements than
    `few`, say.
    """
    dtype = x.dtype
    if x.size < few or name not in operations() or not in_one_piece(x):
        return None
    if dtype not in (np.float32, np.float64):
        return None
    strides = NativeProgram.strides([(x.shape[-1], 1)])
    return _single(name, dtype)([x], strides, x.shape)[0]


@cache
def _single(name: str, dtype: np.dtype) -> NativeProgram:
    return NativeProgram([(operations()[name], 0, 0, 1)], 1, 2, 1, dtype, _PARALLEL)


def most_registers() -> int:
    """The most registers that a program may have: inputs, buffers and results together."""
    return library().program_registers() if library() is not None else 0


class NativeProgram:
    """Steps on registers: `program(inputs, strides, shape)` is the list of results.

    Args:
      steps: (operation, first operand, second operand, target), each a register but for the operation's number. The
        registers 0 ... inputs - 1 are the inputs, the last ones the results. An operation of one operand names it
        twice.
      inputs: how many inputs there are.
      registers: how many there are in all.
      results: how many results.
      dtype: float32 or float64, of all.
      parallel: elements from which on several threads compute them.
    """

    def __init__(
        self,
        steps: Sequence[tuple[int, int, int, int]],
        inputs: int,
        registers: int,
        results: int,
        dtype: Any,
        parallel: int,
    ):
        self._dtype = np.dtype(dtype)
        self._steps = np.array(steps, np.int32)
        self._registers = registers
        self._parallel = parallel
        self._program = _Program(
            address(self._steps), len(steps), inputs, registers, results, HANDLE_FIELD
        )
        self._kernel = _kernel(SUFFIXES[self._dtype])
        self._reference = ctypes.byref(self._program)
        self._pack = struct.Struct(f"{inputs + results}P").pack
        self._numbers = range(results)

    @staticmethod
    def strides(pairs: Sequence[tuple[int, int]]) -> Any:
        """The `strides` argument of a call: for each input its row and column strides, in elements."""
        return (_INDEX * (2 * len(pairs)))(*(distance for pair in pairs for distance in pair))

    def __call__(
        self, inputs: Sequence[np.ndarray], strides: Any, shape: tuple[int, ...]
    ) -> list[np.ndarray]:
        """The results, arrays of `shape`; the inputs have the dtype, and `strides` is of `NativeProgram.strides`.

        All are read as matrices whose rows are as long as the last axis of `shape`; the distance of columns is 0 or 1.
        """
        results = [np.empty(shape, self._dtype) for _ in self._numbers]
        size = results[0].size
        handles = [*map(handle, inputs), *map(handle, results)]
        columns = shape[-1] if shape else 1
        block = _BLOCK if size > _BLOCK else size
        threads = thread_count() if size >= self._parallel else 1
        parts = threads if size < _PART else min(max(threads, size // _PART), _MOST_PARTS)
        objects = self._pack(*handles)
        given = objects, strides, size, columns, block, parts, threads
        if not self._kernel(self._reference, *given):
            raise MemoryError
        return results
