"""Datasets of numpy arrays stored in variables on the host."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from tfmini._src.base import dtypes
from tfmini._src.base.nest.structure import flatten, pack_sequence_as
from tfmini._src.base.records import dataclass
from tfmini._src.data.dataset_v1 import DatasetV1
from tfmini._src.graph.eager.execution_mode import executing_eagerly
from tfmini._src.ops import ops
from tfmini._src.variables.init_scope import init_scope
from tfmini._src.variables.variable_creator import create, variable_creator_scope

_CHUNK_BYTES = 64 << 20


@dataclass(frozen=True)
class SingleDevice:
    """The device of variables without copies."""

    device: str


def _set_from_numpy(variable: Any, array: np.ndarray, session: Any) -> None:
    """Assigns an array to a variable, in 64 MB pieces within a session."""
    with init_scope():
        if executing_eagerly():
            variable.assign(array)
            return
        assert session is not None
        session.run(variable.initializer)
        start = ops.placeholder(dtypes.int64, ())
        end = ops.placeholder(dtypes.int64, ())
        rows = ops.placeholder(variable.dtype)
        assign = variable[start:end].assign(rows)
        bytes_of_row = np.prod(array.shape[1:]) * variable.dtype.size
        step = int(np.ceil(_CHUNK_BYTES / bytes_of_row))
        for first in range(0, len(array), step):
            last = min(first + step, len(array))
            session.run(assign, {start: first, end: last, rows: array[first:last]})


def numpy_dataset(numpy_input: Any, colocation: SingleDevice | None, session: Any) -> Any:
    """Returns a dataset over the rows of a structure of arrays, in variables on one device if `colocation` is set."""

    def on_device(next_creator: Callable, **kwargs: Any) -> Any:
        return next_creator(
            **kwargs if colocation is None else {**kwargs, "colocate_with": colocation}
        )

    arrays = flatten(numpy_input)
    with variable_creator_scope(on_device):
        variables = [
            create(ops.zeros(array.shape, array.dtype), trainable=False, use_resource=True)
            for array in arrays
        ]
    for variable, array in zip(variables, arrays):
        _set_from_numpy(variable, array, session)
    return DatasetV1.from_tensor_slices(pack_sequence_as(numpy_input, variables))
