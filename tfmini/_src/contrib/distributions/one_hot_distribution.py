"""Base class of distributions over vectors with one element per class."""

from __future__ import annotations

from tfmini._src.base import dtypes
from tfmini._src.base.read_only import read_only
from tfmini._src.base.shapes import TensorShape
from tfmini._src.graph.convert_to_tensor import convert_to_tensor
from tfmini._src.graph.scopes import name_scope
from tfmini._src.graph.tensor import Tensor
from tfmini._src.ops import ops
from tfmini._src.probability.distributions.distribution import Distribution


class ClassDistribution(Distribution):
    """Base class; the event size is the size of the last axis of `logits`."""

    event_size: Tensor = read_only("The number of classes, an int32 scalar.")
    logits: Tensor = read_only("Log-probabilities up to a constant.")
    probs: Tensor = read_only("The probabilities of the classes.")
    _logits: Tensor
    _probs: Tensor

    def _find_sizes(self) -> None:
        """Sets the batch rank, static if known, and the number of classes."""
        shape = self._logits.get_shape().with_rank_at_least(1)
        if shape.ndims is not None:
            rank = shape.ndims - 1
            self._batch_rank = convert_to_tensor(rank, dtype=dtypes.int32, name="batch_rank")
        else:
            with name_scope(name="batch_rank"):
                self._batch_rank = ops.rank(self._logits) - 1
        with name_scope(name="event_size"):
            self._event_size = ops.shape(self._logits)[-1]

    def _batch_shape_tensor(self) -> Tensor:
        return ops.shape(self.logits)[:-1]

    def _batch_shape(self) -> TensorShape:
        return self.logits.get_shape()[:-1]

    def _event_shape_tensor(self) -> Tensor:
        return ops.shape(self.logits)[-1:]

    def _event_shape(self) -> TensorShape:
        return self.logits.get_shape().with_rank_at_least(1)[-1:]

    def _rows(self, x: Tensor, axis: int | list[int]) -> tuple[Tensor, Tensor, Tensor]:
        """Returns values and logits, broadcast and flattened to rows, and their shape without the last axis."""
        logits = self.logits
        shapes = x.get_shape(), logits.get_shape()
        is_static = all(shape.is_fully_defined() for shape in shapes)
        if not is_static or shapes[0] != shapes[1]:
            logits = ops.ones_like(x, dtype=logits.dtype) * logits
            x = ops.ones_like(logits, dtype=x.dtype) * x
        shape = ops.shape(ops.reduce_sum(logits, axis))
        logits = ops.reshape(logits, [-1, self.event_size])
        return ops.reshape(x, [-1, self.event_size]), logits, shape

    def _check_sample(self, x: Tensor) -> Tensor:
        """Returns `x`; with `validate_args`, asserts that it contains log-probabilities."""
        if not self.validate_args:
            return x
        below_0 = ops.assert_non_positive(x)
        zero = ops.zeros([], dtype=self.dtype)
        total = ops.assert_near(zero, ops.reduce_logsumexp(x, axis=[-1]))
        return ops.with_dependencies([below_0, total], x)
