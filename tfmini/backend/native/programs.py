"""Groups of elementwise operations as one call: steps on blocks that stay in the first cache."""

from __future__ import annotations

import ctypes
from collections.abc import Sequence
from functools import cache
from typing import Any

import numpy as np

from tfmini.backend.native.library import SUFFIXES, Pointer, address, function, library
from tfmini.backend.threads import divided, run_parts, thread_count

_INDEX = ctypes.c_int64
_PARALLEL = 1 << 16  # elements
_HEAD_START = 1 << 14


@cache
def operations() -> dict[str, int]:
    """The numbers of the operations by numpy's names; empty without a library."""
    names = function("program_operations", result=ctypes.c_char_p)
    return {} if names is None else {n: i for i, n in enumerate(names().decode().split())}


def most_registers() -> int:
    """How many registers a program may have: its inputs and its buffers."""
    return library().program_registers() if library() is not None else 0


class NativeProgram:
    """Steps on registers: `program(inputs, out)` writes the result of the last step.

    Args:
      steps: (operation, first operand, second operand, target), each a register but for the operation's number. The
        registers 0 ... inputs - 1 are the inputs. An operation of one operand names it twice.
      inputs: how many inputs there are.
      whole: the numbers of those that are arrays of the result's shape; the others are one number each.
      registers: how many there are in all.
      dtype: float32 or float64, of all.
    """

    def __init__(
        self,
        steps: Sequence[tuple[int, int, int, int]],
        inputs: int,
        whole: Sequence[int],
        registers: int,
        dtype: Any,
    ):
        self._dtype = np.dtype(dtype)
        self._steps = np.array(steps, np.int32)
        self._whole = tuple(whole)
        self._inputs = inputs
        self._memory = function("program_memory", ctypes.c_int, result=_INDEX)(registers)  # type: ignore[misc]
        types = (Pointer, ctypes.c_int, Pointer, Pointer, ctypes.c_int, Pointer)
        name = f"program_{SUFFIXES[self._dtype.name]}"
        self._kernel: Any = function(name, *types, _INDEX, _INDEX, _INDEX, Pointer)
        self._constant = (address(self._steps), len(steps))
        self._addresses = Pointer * inputs
        self._plain = self._strides_of(dict.fromkeys(whole, 1))

    def _strides_of(self, strides: dict[int, int]) -> Any:
        return (_INDEX * self._inputs)(*(strides.get(i, 0) for i in range(self._inputs)))

    def __call__(self, inputs: Sequence[Any], out: np.ndarray) -> bool:
        """False, with nothing written, where a whole input has gaps that are not those of a slice of columns.

        The inputs are arrays of the dtype, or numbers; `out` is in one piece.
        """
        given = self._plain
        if not all(inputs[i].flags.c_contiguous for i in self._whole):
            apart = {i: _row_stride(inputs[i]) for i in self._whole}
            if 0 in apart.values():
                return False
            given = self._strides_of(apart)
        arrays = [
            value if type(value) is np.ndarray else np.asarray(value, self._dtype)
            for value in inputs
        ]
        read = (*self._constant, self._addresses(*map(address, arrays)), given, self._inputs)
        size, wanted, columns = out.size, address(out), out.shape[-1] if out.ndim else 1

        def run(begin: int, end: int) -> None:
            memory = np.empty(self._memory, self._dtype)
            self._kernel(*read, wanted, begin, end, columns, address(memory))

        parts = thread_count() if size >= _PARALLEL else 1
        if parts == 1:
            run(0, size)
        else:
            bounds = divided(size, parts, _HEAD_START)
            run_parts(lambda part: run(bounds[part], bounds[part + 1]), parts)
        return True


def _row_stride(array: np.ndarray) -> int:
    """1 for an array in one piece, the elements between rows for a slice of a matrix's columns; 0 for others."""
    if array.flags.c_contiguous:
        return 1
    if array.ndim != 2 or array.strides[1] != array.itemsize or array.strides[0] <= array.itemsize:
        return 0
    elements, rest = divmod(array.strides[0], array.itemsize)
    return 0 if rest else elements
