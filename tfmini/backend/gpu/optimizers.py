"""The optimizers' updates on a GPU: all variables of an optimizer in one launch."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from tfmini.backend.gpu.launch import FLOATS, THREADS, Array, run

_CHUNK = 4096  # elements a block updates, as in optimizers.cu

# The kernels and what `update` calls them with: the number of cells, and of scalars.
KINDS = {
    "gradient_descent": (1, 1),
    "momentum": (2, 2),
    "keras_momentum": (2, 2),
    "adam": (3, 6),
    "adam_with_amsgrad": (4, 6),
    "adamax": (3, 5),
    "adagrad": (2, 1),
    "adagrad_v2": (2, 2),
    "adadelta": (3, 3),
    "rmsprop": (3, 4),
    "centered_rmsprop": (4, 4),
    "ftrl": (3, 4),
    "ftrl_v2": (3, 5),
    "add_sign": (2, 4),
    "power_sign": (2, 4),
}


@dataclass(frozen=True)
class Table:
    """Where variables, their slots and gradients lie, on the device; it keeps them alive."""

    rows: Array
    variables: int
    blocks: int
    dtype: str
    arrays: tuple


def table(xp: Any, variables: Sequence[Sequence[Array]]) -> Table:
    """The table of [(variable, slot ..., gradient), ...]: arrays of one dtype, each in one piece.

    It can be used again as long as the arrays stay where they are.
    """
    rows, first = [], 0
    for arrays in variables:
        size = arrays[0].size
        rows.append([*(array.data.ptr for array in arrays), size, first])
        first += -(-size // _CHUNK)
    dtype = variables[0][0].dtype.name
    kept = tuple(array for arrays in variables for array in arrays)
    return Table(xp.asarray(np.array(rows, np.int64)), len(rows), first, dtype, kept)


def update(
    xp: Any, kind: str, table: Table, scalars: Sequence[Array], flags: Sequence[bool] = ()
) -> None:
    """Updates all variables of a table in place.

    Args:
      kind: one of `KINDS`; the cells of the table are those of TensorFlow's op in its order.
      scalars: arrays of one element on the device, in the order of `tfmini.ops.update_rules`.
      flags: `use_nesterov` or `update_slots` where the op has it.
    """
    if table.blocks:
        kernel = f"{kind}_{FLOATS[table.dtype]}"
        args = (table.rows, table.variables, *scalars, *flags)
        run(xp, "optimizers", kernel, (table.blocks,), (THREADS,), *args)
