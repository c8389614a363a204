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
      whole: for each input whether it is an array of the result's shape; else it is one number.
      registers: how many there are in all.
      dtype: float32 or float64, of all.
    """

    def __init__(
        self,
        steps: Sequence[tuple[int, int, int, int]],
        inputs: int,
        whole: Sequence[bool],
        registers: int,
        dtype: Any,
    ):
        self._dtype = np.dtype(dtype)
        self._steps = np.array(steps, np.int32)
        self._whole = np.array(whole, np.uint8)
        self._memory = function("program_memory", ctypes.c_int, result=_INDEX)(registers)  # type: ignore[misc]
        self._kernel: Any = function(
            f"program_{SUFFIXES[self._dtype.name]}",
            *(
                Pointer,
                ctypes.c_int,
                Pointer,
                Pointer,
                ctypes.c_int,
                Pointer,
                _INDEX,
                _INDEX,
                Pointer,
            ),
        )
        self._constant = (address(self._steps), len(steps))
        self._addresses = Pointer * inputs

    def __call__(self, inputs: Sequence[Any], out: np.ndarray) -> None:
        """The whole inputs lie in one piece, as `out` does."""
        arrays = [np.asarray(value, self._dtype) for value in inputs]
        given = self._addresses(*map(address, arrays))
        size, wanted, whole = out.size, address(out), address(self._whole)
        parts = thread_count() if size >= _PARALLEL else 1
        bounds = divided(size, parts, _HEAD_START)

        def work(part: int) -> None:
            memory = np.empty(self._memory, self._dtype)
            self._kernel(
                *self._constant, given, whole, len(arrays), wanted, bounds[part], bounds[part + 1],
                address(memory),
            )  # fmt: skip

        run_parts(work, parts)
