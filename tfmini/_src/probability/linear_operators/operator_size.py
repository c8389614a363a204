"""Operators whose sizes are arguments: checks of the sizes and their effect on batches."""

from __future__ import annotations

from typing import Any

import numpy as np

from tfmini._src.base import dtypes
from tfmini._src.graph.tensor import Tensor
from tfmini._src.ops import ops
from tfmini._src.probability.linear_operators.linear_operator import LinearOperator
from tfmini._src.variables.variable import Variable


def reject_variable(value: Any, name: str) -> None:
    """Raises TypeError if a size is a variable, because sizes must be fixed."""
    if isinstance(value, Variable):
        raise TypeError(f"Argument {name} cannot be reference type. Found: {type(value)}")


def integers(value: Any, name: str) -> Tensor:
    """Converts a size or several sizes to a tensor."""
    is_empty = isinstance(value, (tuple, list)) and not value
    return ops.convert_to_tensor(value, dtype=dtypes.int32 if is_empty else None, name=name)


class SizedOperator(LinearOperator):
    """Base class of operators defined by their sizes."""

    _assert_proper_shapes: bool
    _batch: Any = None

    def _take_batch(self, batch_shape: Any) -> None:
        if batch_shape is not None:
            batch = integers(batch_shape, "batch_shape_arg")
            self._static_batch = ops.get_static_value(batch)
            self._batch = self._check_integers(batch, self._static_batch, "batch_shape", 1)

    def _check_integers(self, tensor: Tensor, value: Any, name: str, rank: int) -> Tensor:
        start = f"Argument {name} must be "
        if self._assert_proper_shapes:
            checks = [
                ops.assert_rank(tensor, rank, message=f"{start}a {rank}-D Tensor."),
                ops.assert_non_negative(tensor, message=f"{start}non-negative."),
            ]
            tensor = ops.with_dependencies(checks, tensor)
        if not tensor.dtype.is_integer:
            raise TypeError(f"{start}integer type.  Found: {tensor}")
        if value is not None:
            if np.ndim(value) != rank:
                raise ValueError(f"{start}a {rank}-D Tensor.  Found: {value}")
            if np.any(np.asarray(value) < 0):
                space = " " if rank == 0 else ""
                raise ValueError(f"{start}non-negative.  Found:{space}{value}")
        return tensor

    def _fitting(self, x: Tensor, adjoint_arg: bool) -> Tensor:
        x = ops.adjoint(x) if adjoint_arg else x
        if self._assert_proper_shapes:
            check = ops.assert_equal(
                ops.shape(x)[-2],
                self.domain_dimension_tensor(),
                message="Dimensions are not compatible.  shape[-2] of argument to be the same as this "
                "operator",
            )
            x = ops.with_dependencies([check], x)
        return x

    def _repeat_for_batch(self, x: Tensor) -> Tensor:
        """Repeats `x` for each matrix in the batch."""
        if self._batch is None:
            return x
        special: Any = self.batch_shape.concatenate([1, 1])
        common = ops.broadcast_static_shape(x.shape, special)
        if special.is_fully_defined():
            if common == x.shape:
                return x
        else:
            special = ops.concat((self.batch_shape_tensor(), [1, 1]), 0)
        return x + ops.zeros(shape=special, dtype=self.dtype)
