"""Accumulators as session resources, which sum gradients until enough have arrived."""

from __future__ import annotations

from abc import abstractmethod
from collections import deque
from typing import Any

import numpy as np

from tfmini._src.base.errors import CancelledError, NotFoundError, invalid
from tfmini._src.base.locks import make_lock
from tfmini._src.base.shapes import dims_allow
from tfmini._src.graph.op_traits.handle_kinds import ACCUMULATOR, Resource
from tfmini._src.graph.shape_inference import text as dims_text
from tfmini._src.ops.operands import shape_text
from tfmini._src.ops.pending_ops import PendingOp

Dims = tuple[int | None, ...]


class Accumulator(Resource):
    """Sums gradients that are not older than its step.

    dims: the static shape, or None; is_mean: whether to return the mean instead of the sum.
    """

    resource_kind = ACCUMULATOR

    def __init__(self, name: str, dims: Dims | None, is_mean: bool):
        self._name = name
        self.dims = dims
        self.is_mean = is_mean
        self.count = 0
        self._step = 0
        self._lock = make_lock()
        self._waiting: deque[tuple[PendingOp, int]] = deque()

    @property
    def array(self) -> np.ndarray:
        """The container and name, which are the value of a fetched reference."""
        return np.array([b"localhost", self._name.encode()], object)

    def set_step(self, step: int) -> None:
        """Sets the step; subsequent gradients of earlier steps are dropped."""
        with self._lock:
            self._step = step

    def apply(self, step: int, *gradient: Any) -> None:
        """Adds the gradient of a step unless it is stale."""
        with self._lock:
            if step >= self._step:
                self._add(*gradient)
                self.count += 1
            ended_ops = self._advance()
        _end_pending_ops(ended_ops)

    def take(self, required: int) -> PendingOp:
        """Returns and removes the accumulated gradient once `required` gradients have arrived."""
        if required <= 0:
            invalid(f"Argument num_required must be positive, but was {required}")
        pending_op = PendingOp(self._withdraw)
        with self._lock:
            self._waiting.append((pending_op, required))
            ended_ops = self._advance()
        _end_pending_ops(ended_ops)
        return pending_op

    def _advance(self) -> list[tuple[PendingOp, Any]]:
        ended_ops = []
        while self._waiting and self.count >= self._waiting[0][1]:
            pending_op, _ = self._waiting.popleft()
            ended_ops.append((pending_op, self._result()))
            self.count = 0
            self._step += 1
        return ended_ops

    def _withdraw(self, pending_op: PendingOp) -> None:
        with self._lock:
            cancelled = [waiting for waiting in self._waiting if waiting[0] is pending_op]
            for waiting in cancelled:
                self._waiting.remove(waiting)
            ended_ops = self._advance()
        if cancelled:
            pending_op.end(error=CancelledError(None, None, "TakeGrad operation was cancelled"))
        _end_pending_ops(ended_ops)

    @abstractmethod
    def _add(self, *gradient: Any) -> None:
        pass

    @abstractmethod
    def _result(self) -> Any:
        pass


def _end_pending_ops(ended_ops: list[tuple[PendingOp, Any]]) -> None:
    for pending_op, results in ended_ops:
        pending_op.end(results)


class DenseAccumulator(Accumulator):
    """Accumulator of dense gradients, all of the same shape."""

    _sum: Any = None

    def _add(self, *gradient: Any) -> None:
        if len(gradient) != 1:
            invalid("Unknown input name: gradient")
        (value,) = gradient
        dims = self._sum.shape if self.count else self.dims
        if not dims_allow(dims, value.shape):
            invalid(f"Shape mismatch: expected {dims_text(dims)}, got {shape_text(value.shape)}")
        self._sum = self._sum + value if self.count else value.copy()

    def _result(self) -> Any:
        total = self._sum
        return (total / total.dtype.type(self.count)).astype(total.dtype) if self.is_mean else total


class SparseAccumulator(Accumulator):
    """Accumulator for sparse gradients; each slice is divided by the number of gradients that include it."""

    _indices: Any = None
    _values: Any = None
    _counts: Any = None

    def _add(self, *gradient: Any) -> None:
        if len(gradient) != 3:
            raise NotFoundError(None, None, "No attr named 'has_known_shape' in NodeDef:")
        indices, values, shape = gradient
        self._check(indices, values, shape)
        if not self.count:
            self._indices, self._values = indices.copy(), values.copy()
            self._counts = np.ones(len(indices), np.int64)
            return
        own_positions, gradient_positions = _merge(self._indices, indices)
        joined: Any = np.zeros((len(own_positions), *values.shape[1:]), values.dtype)
        counts = np.zeros(len(own_positions), np.int64)
        joined[own_positions >= 0] = self._values[own_positions[own_positions >= 0]]
        counts[own_positions >= 0] = self._counts[own_positions[own_positions >= 0]]
        joined[gradient_positions >= 0] += values[gradient_positions[gradient_positions >= 0]]
        counts[gradient_positions >= 0] += 1
        self._indices = np.where(
            own_positions >= 0,
            np.append(self._indices, 0)[own_positions],
            np.append(indices, 0)[gradient_positions],
        )
        self._values, self._counts = joined, counts

    def _check(self, indices: Any, values: Any, shape: Any) -> None:
        if indices.ndim != 1:
            text = shape_text(indices.shape)
            invalid(f"Input indices should be vector but received shape: {text}")
        if not values.ndim:
            invalid("Values cannot be 0-dimensional.")
        if len(indices) != len(values):
            invalid(f"Expected {len(indices)} non-empty input values, got {len(values)}")
        dims = self.dims or ()
        if shape is not None:
            if len(dims) > shape.size:
                expected = f"Shape mismatch: expected shape rank at least {len(dims)}"
                invalid(f"{expected}, got {shape.size}")
            for axis, (dim, size) in enumerate(zip(dims, shape.ravel().tolist())):
                if dim is not None and dim != size:
                    expected = f"Shape mismatch: expected shape dim {axis} to be {dim}"
                    invalid(f"{expected}, got {size}")
        if dims and dims[0] is not None:
            for i, index in enumerate(indices.tolist()):
                if index >= dims[0]:
                    invalid(
                        f"Shape mismatch: index of slice {i} exceeded limits of shape; index is {index} "
                        f"exceeded {dims[0]}"
                    )
        self._check_values(values.shape, dims)

    def _check_values(self, shape: tuple[int, ...], dims: Dims) -> None:
        if self.count:
            dims = self._values.shape
            if len(dims) != len(shape):
                invalid(f"Shape mismatch: expected values rank {len(dims)}, got {len(shape)}")
        elif len(dims) > len(shape):
            invalid(f"Shape mismatch: expected values rank at least {len(dims)}, got {len(shape)}")
        for axis, (dim, size) in enumerate(zip(dims, shape)):
            if axis and dim is not None and dim != size:
                invalid(f"Shape mismatch: expected values dim {axis} to be {dim}, got {size}")

    def _result(self) -> Any:
        values = self._values
        if self.is_mean and len(values):
            counts = self._counts.reshape(-1, *[1] * (values.ndim - 1))
            values = (values / counts.astype(values.dtype)).astype(values.dtype)
        first = self.dims[0] if self.dims and self.dims[0] is not None else -1
        return self._indices, values, np.array([first, *values.shape[1:]], np.int64)


def _merge(first: Any, second: Any) -> tuple[Any, Any]:
    """Merges two sorted lists of numbers; returns source positions in each list, with -1 for none."""
    first_positions, second_positions = [], []
    i = j = 0
    a, b = first.tolist(), second.tolist()
    while i < len(a) or j < len(b):
        takes_first = j == len(b) or (i < len(a) and a[i] <= b[j])
        takes_second = i == len(a) or (j < len(b) and b[j] <= a[i])
        first_positions.append(i if takes_first else -1)
        second_positions.append(j if takes_second else -1)
        i += takes_first
        j += takes_second
    return np.array(first_positions, np.int64), np.array(second_positions, np.int64)
