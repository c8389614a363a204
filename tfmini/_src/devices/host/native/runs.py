"""Sequences of stages on the rows of float32 matrices in one call: column copies, products with packed matrices, and
groups of elementwise operations.
"""

from __future__ import annotations

import ctypes
import struct
from collections.abc import Callable, Sequence
from functools import cache
from typing import Any

import numpy as np

from tfmini._src.base.records import dataclass
from tfmini._src.devices.host.native.elementwise_program import NativeProgram, ProgramFields
from tfmini._src.devices.host.native.library import HANDLE_FIELD, Pointer, address, function, handle

_INDEX = ctypes.c_int64
_LINE = 64  # alignment of each array: a cache line
COPY, PRODUCT, GROUP = range(3)

# Offset, row and column strides, whether it is boolean, as in NativeProgram; for a copy, the last is the number
# of columns.
Place = tuple[int, int, int, int]


@dataclass(frozen=True)
class Stage:
    """An operation on all rows of a run's matrices.

    arrays: numbers of the run's arrays. COPY: the sources and the target that concatenates them along columns; PRODUCT:
      the left matrix, the packed matrix, the result, and optionally a bias; GROUP: the inputs and results of `program`.
    places: positions of their elements.
    inner, columns: the sizes of the right matrix of a product; otherwise, `columns` is the column count of the result.
    """

    kind: int
    arrays: tuple[int, ...]
    places: tuple[Place, ...]
    columns: int
    inner: int = 0
    program: NativeProgram | None = None


class _Stage(ctypes.Structure):
    _fields_ = (
        ("kind", _INDEX),
        ("program", Pointer),
        ("places", Pointer),
        ("arrays", Pointer),
        ("count", _INDEX),
        ("inner", _INDEX),
        ("columns", _INDEX),
    )


class _Run(ctypes.Structure):
    _fields_ = (
        ("stages", Pointer),
        ("count", _INDEX),
        ("given", _INDEX),
        ("others", _INDEX),
        ("offsets", Pointer),
        ("size", _INDEX),
        ("rows", _INDEX),
        ("field", _INDEX),
    )


@cache
def _run_stages_kernel() -> Callable[..., int] | None:
    return function("run_stages")


def is_available() -> bool:
    """Whether the library that executes runs is available."""
    return _run_stages_kernel() is not None


class NativeRun:
    """Executes stages on numbered arrays: `run(arrays)` computes the arrays that are results.

    Args:
      stages: in execution order.
      inputs: the number of arrays passed in a call, inputs and results, which are numbered first.
      scratch: the column counts of intermediate arrays.
      rows: number of rows of all matrices.
      threads: number of threads that share the rows.
    """

    def __init__(
        self, stages: Sequence[Stage], inputs: int, scratch: Sequence[int], rows: int, threads: int
    ):
        self._threads = threads
        self._pack = struct.Struct(f"{inputs}P").pack
        programs = [
            None if s.program is None else ProgramFields(*s.program.fields, -1) for s in stages
        ]
        positions = [NativeProgram.position_bytes(s.places) for s in stages]
        arrays = [np.array(s.arrays, np.int32) for s in stages]
        table_type: Any = _Stage * len(stages)
        table = table_type(
            *(
                (
                    s.kind,
                    p and ctypes.addressof(p),
                    address(np.frombuffer(position, np.int64)),
                    address(a),
                    len(a),
                    s.inner,
                    s.columns,
                )
                for s, p, position, a in zip(stages, programs, positions, arrays)
            )
        )
        sizes = [-(-rows * columns * 4 // _LINE) * _LINE for columns in scratch]
        offsets = np.cumsum([0, *sizes])
        # Keeps them alive: the kernel holds their addresses.
        self._kept = stages, programs, positions, arrays, table, offsets
        self._run = _Run(
            *(ctypes.addressof(table), len(stages), inputs, len(scratch), address(offsets)),
            *(int(offsets[-1]), rows, HANDLE_FIELD),
        )
        self._reference = ctypes.addressof(self._run)

    def __call__(self, arrays: Sequence[np.ndarray]) -> None:
        kernel: Any = _run_stages_kernel()
        if not kernel(self._reference, self._pack(*map(handle, arrays)), self._threads):
            raise MemoryError
