"""A distribution with a reshaped batch."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from tfmini._src.base import dtypes
from tfmini._src.base.read_only import read_only
from tfmini._src.base.shapes import TensorShape
from tfmini._src.contrib.distributions.deprecation import moved
from tfmini._src.graph.convert_to_tensor import convert_to_tensor
from tfmini._src.graph.scopes import control_dependencies, name_scope
from tfmini._src.graph.static_values import static_shape
from tfmini._src.graph.tensor import Tensor, TensorLike
from tfmini._src.ops import ops
from tfmini._src.probability.distributions.distribution import Distribution


class BatchReshape(Distribution):
    """A `distribution` with its batch reshaped to `batch_shape`.

    Args:
      distribution: the distribution.
      batch_shape: vector of ints, at most one of them -1 (inferred).
      validate_args: whether to check shapes at run time.
      allow_nan_stats: see `tf.distributions.Distribution`.
      name: the name scope of the nodes, "BatchReshape" and the distribution's name by default.

    Raises:
      ValueError: if the shape is not a vector, or the number of elements differs.
      NotImplementedError: from `prob` and similar methods, for values that require broadcasting.

    Example: `c.BatchReshape(c.Normal(tf.zeros([6]), 1.0), [2, 3]).sample()` has the shape [2, 3].
    """

    distribution: Any = read_only("The distribution whose batch is reshaped.")

    @moved
    def __init__(
        self,
        distribution: Distribution,
        batch_shape: TensorLike,
        validate_args: bool = False,
        allow_nan_stats: bool = True,
        name: str | None = None,
    ):
        parameters = dict(locals())
        name = name or "BatchReshape" + distribution.name
        with name_scope(name, values=[batch_shape]) as name:
            tensor = convert_to_tensor(batch_shape, dtype=dtypes.int32, name="batch_shape")
            self._given_shape = tensor
            _check_fit(distribution, tensor)
            batch_dims = distribution.batch_shape_tensor()
            self._known_shape = static_shape(tensor)
            self._full_shape, self._checks = _infer_batch_shape(batch_dims, tensor, validate_args)
            self._distribution = distribution
            self._init(
                parameters,
                name,
                distribution.reparameterization_type,
                [tensor, *distribution._graph_parents],
                dtype=distribution.dtype,
            )

    def _batch_shape_tensor(self) -> Tensor:
        with control_dependencies(self._checks):
            return ops.identity(self._full_shape)

    def _batch_shape(self) -> TensorShape:
        return self._known_shape

    def _event_shape_tensor(self) -> Tensor:
        with control_dependencies(self._checks):
            return ops.identity(self.distribution.event_shape_tensor())

    def _event_shape(self) -> TensorShape:
        return self.distribution.event_shape

    def _sample_n(self, n: Any, seed: Any = None) -> Tensor:
        with control_dependencies(self._checks):
            x = self.distribution.sample(sample_shape=n, seed=seed)
            shape = ops.concat([[n], self._given_shape, self.event_shape_tensor()], axis=0)
            return ops.reshape(x, shape)

    def _log_prob(self, x: Tensor) -> Tensor:
        return self._call_reshaped(self.distribution.log_prob, x)

    def _prob(self, x: Tensor) -> Tensor:
        return self._call_reshaped(self.distribution.prob, x)

    def _log_cdf(self, x: Tensor) -> Tensor:
        return self._call_reshaped(self.distribution.log_cdf, x)

    def _cdf(self, x: Tensor) -> Tensor:
        return self._call_reshaped(self.distribution.cdf, x)

    def _log_survival_function(self, x: Tensor) -> Tensor:
        return self._call_reshaped(self.distribution.log_survival_function, x)

    def _survival_function(self, x: Tensor) -> Tensor:
        return self._call_reshaped(self.distribution.survival_function, x)

    def _entropy(self) -> Tensor:
        return self._reshape_statistic(self.distribution.entropy, 0)

    def _mean(self) -> Tensor:
        return self._reshape_statistic(self.distribution.mean)

    def _mode(self) -> Tensor:
        return self._reshape_statistic(self.distribution.mode)

    def _stddev(self) -> Tensor:
        return self._reshape_statistic(self.distribution.stddev)

    def _variance(self) -> Tensor:
        return self._reshape_statistic(self.distribution.variance)

    def _covariance(self) -> Tensor:
        event_shape = self.event_shape_tensor()
        return self._reshape_statistic(self.distribution.covariance, 2, event_shape)

    def _reshape_statistic(
        self, statistic: Callable[[], Tensor], events: int = 1, event_shape: Any = None
    ) -> Tensor:
        """Reshapes a statistic to the new batch shape, followed by `events` times the event shape."""
        with control_dependencies(self._checks):
            if event_shape is None:
                event_shape = self._event_shape_tensor() if events else None
            shape = ops.concat([self._given_shape] + [event_shape] * events, axis=0)
            result = ops.reshape(statistic(), shape)
            if self.batch_shape.ndims is not None and self.event_shape.ndims is not None:
                static = self.batch_shape
                for _ in range(events):
                    static = static.concatenate(self.event_shape)
                result.set_shape(result.shape.merge_with(static))
            return result

    def _ranks(self, x: Tensor) -> tuple[Any, Any, Any]:
        """Returns the ranks of `x`, the event and the batch; ints if static."""
        x_rank = ops.rank(x) if x.shape.ndims is None else x.shape.ndims
        event: Any = self.event_shape.ndims
        event = ops.size(self.event_shape_tensor()) if event is None else event
        batch = self.batch_shape.ndims
        return x_rank, event, ops.size(self._given_shape) if batch is None else batch

    def _call_reshaped(self, function: Callable[[Tensor], Tensor], x: Tensor) -> Tensor:
        with control_dependencies(self._checks + self._value_checks(x)):
            x_rank, event, batch = self._ranks(x)
            count = x_rank - batch - event
            sample_dims = x.shape[:count] if isinstance(count, int) else TensorShape(None)
            sample_shape: Any
            if sample_dims.is_fully_defined():
                sample_shape = np.array(sample_dims.as_list(), np.int32)
            else:
                sample_shape = ops.shape(x)[:count]
            batch_shape = self.distribution.batch_shape_tensor()
            shape = ops.concat([sample_shape, batch_shape, self.event_shape_tensor()], axis=0)
            result = function(ops.reshape(x, shape))
            shape = ops.concat([sample_shape, self._given_shape], axis=0)
            result = ops.reshape(result, shape)
            if sample_dims.ndims is not None and self.batch_shape.ndims is not None:
                result.set_shape(result.shape.merge_with(sample_dims.concatenate(self.batch_shape)))
            return result

    def _value_checks(self, x: Tensor) -> list[Any]:
        """Rejects values that require broadcasting; returns runtime checks."""
        with name_scope("validate_sample_arg", values=[x]):
            x_rank, event, batch = self._ranks(x)
            required = batch + event
            rank_checks = []
            message = "Broadcasting is not supported; too few batch and event dims"
            if isinstance(x_rank, int) and isinstance(required, int):
                if x_rank < required:
                    raise NotImplementedError(
                        f"{message} (expected at least {required}, saw {x_rank})."
                    )
            elif self.validate_args:
                name = "assert_batch_and_event_ndims_large_enough"
                check = ops.assert_greater_equal(x_rank, required, message=f"{message}.", name=name)
                rank_checks.append(check)
            expected: Any
            if self.batch_shape.is_fully_defined() and self.event_shape.is_fully_defined():
                both = self.batch_shape.concatenate(self.event_shape)
                expected = np.array(both.as_list(), np.int32)
            else:
                expected = ops.concat(
                    [self.batch_shape_tensor(), self.event_shape_tensor()], axis=0
                )
            actual = _last_sizes(x, x_rank - required)
            message = "Broadcasting is not supported; unexpected batch and event shape"
            if isinstance(expected, np.ndarray) and isinstance(actual, np.ndarray):
                if any(expected != actual):
                    raise NotImplementedError(f"{message} (expected {expected}, saw {actual}).")
                return rank_checks
            if not self.validate_args:
                return []
            with control_dependencies(rank_checks):
                name = "assert_batch_and_event_shape_same"
                return [ops.assert_equal(expected, actual, message=f"{message}.", name=name)]


def _last_sizes(x: Tensor, start: Any) -> Any:
    """Returns the shape of `x` from axis `start` on; an array if static."""
    if isinstance(start, int):
        start = max(start, 0)
        if x.shape[start:].is_fully_defined():
            return np.array(x.shape[start:].as_list(), np.int32)
    start = ops.maximum(start, 0)
    return ops.shape(x)[start:]


def _infer_batch_shape(batch_shape: Any, value: Tensor, validate: bool) -> tuple[Any, list[Any]]:
    """Returns the shape with -1 inferred, and its runtime checks."""
    static = static_shape(value)
    if static.is_fully_defined():
        return np.array(static.as_list(), np.int32), []
    with name_scope(None, "calculate_reshape", [batch_shape, value]):
        size = ops.reduce_prod(batch_shape)
        is_left = ops.equal(value, -1)
        inferred_size = size // ops.maximum(1, -ops.reduce_prod(value))
        rank = ops.shape(value)
        full = ops.where_v2(is_left, ops.fill(rank, inferred_size), value)
        if not validate:
            return full, []
        checks = [
            ops.assert_rank(batch_shape, 1, message="Original shape must be a vector."),
            ops.assert_rank(value, 1, message="New shape must be a vector."),
        ]
        count = ops.count_nonzero(is_left, dtype=dtypes.int32)
        message = "At most one dimension can be unknown."
        checks.append(ops.assert_less_equal(count, 1, message=message))
        checks.append(ops.assert_positive(full, message="Shape elements must be >=-1."))
        total = ops.reduce_prod(full)
        checks.append(ops.assert_equal(total, size, message="Shape sizes do not match."))
        return full, checks


def _check_fit(distribution: Any, value: Tensor) -> None:
    rank = value.shape.ndims
    if rank is not None and rank != 1:
        raise ValueError(f"`batch_shape` must be a vector (saw rank: {rank}).")
    static = static_shape(value)
    size, batch_size = static.num_elements(), distribution.batch_shape.num_elements()
    if size is not None and batch_size is not None and size != batch_size:
        raise ValueError(
            f"`batch_shape` size ({size}) must match `distribution.batch_shape` size ({batch_size})."
        )
    if static.dims is not None and any(d.value is not None and d.value < 1 for d in static.dims):
        raise ValueError("`batch_shape` elements must be >=-1.")
