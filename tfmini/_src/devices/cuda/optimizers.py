"""Optimizer updates on a GPU, with one launch for all variables of an optimizer."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from tfmini._src.devices.arrays import ArrayModule
from tfmini._src.devices.cuda.launch import FLOATS, THREADS, Array, run

# As in optimizers.cu.
_CHUNK = 4096  # elements updated per block
_MAX_VARIABLES = 64  # variables per launch
_VARIABLE_TABLE_DTYPE = np.dtype([("rows", np.int64, (_MAX_VARIABLES, 7))])

# Kernels, with their numbers of cells (the variable and its slots) and scalars.
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


def update(
    xp: ArrayModule,
    kind: str,
    variables: Sequence[Sequence[Array]],
    scalars: Sequence[Array],
    flags: Sequence[bool] = (),
) -> None:
    """Updates variables in place, up to 64 per launch.

    Args:
      kind: one of `KINDS`.
      variables: for each variable, (variable, slot ..., gradient) as contiguous arrays of one dtype, with slots in the
        order of TensorFlow's op.
      scalars: arrays of one element on the device, in the order of `tfmini._src.ops.state.optimizer_formulas`.
      flags: the value of `use_nesterov` or `update_slots`; empty for an op that has neither.
    """
    kernel = f"{kind}_{FLOATS[variables[0][0].dtype.name]}"
    for first in range(0, len(variables), _MAX_VARIABLES):
        part = variables[first : first + _MAX_VARIABLES]
        table, blocks = _variable_table(part)
        if blocks:
            args = (table, len(part), *scalars, *flags)
            run(xp, "optimizers", kernel, (blocks,), (THREADS,), *args)


def _variable_table(variables: Sequence[Sequence[Array]]) -> tuple[np.ndarray, int]:
    """Returns the kernel parameter `table`, which CuPy passes by value, and the number of blocks."""
    table = np.zeros(1, _VARIABLE_TABLE_DTYPE)
    rows = table["rows"][0]
    blocks = 0
    for row, arrays in zip(rows, variables):
        row[: len(arrays)] = [array.data.ptr for array in arrays]
        size = arrays[0].size
        row[5:] = size, blocks
        blocks += -(-size // _CHUNK)
    return table, blocks
