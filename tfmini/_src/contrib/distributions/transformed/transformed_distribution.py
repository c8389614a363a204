"""Distributions of y = g(x) for x of a known distribution."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from tfmini._src.base import dtypes
from tfmini._src.base.read_only import read_only
from tfmini._src.base.shapes import TensorShape
from tfmini._src.contrib.distributions import prefer_static
from tfmini._src.contrib.distributions.bijectors.identity import Identity
from tfmini._src.graph.convert_to_tensor import convert_to_tensor
from tfmini._src.graph.scopes import name_scope
from tfmini._src.graph.static_values import get_static_value, static_shape
from tfmini._src.graph.tensor import Tensor, TensorLike
from tfmini._src.ops import ops
from tfmini._src.probability.distributions.deprecation import moved
from tfmini._src.probability.distributions.distribution import Distribution
from tfmini._src.probability.distributions.sample_shapes import pick_vector

if TYPE_CHECKING:
    from tfmini._src.contrib.distributions.bijectors.bijector import Bijector


class TransformedDistribution(Distribution):
    """Distribution of y = bijector.forward(x) for samples x of `distribution`.

    Args:
      distribution: the distribution of x.
      bijector: g, a `tf.contrib.distributions.bijectors.Bijector`; by default the identity.
      batch_shape: batch shape override; only for a `distribution` of batch shape [].
      event_shape: event shape override, for events of independent draws; only for a scalar distribution.
      validate_args: whether to check shapes and arguments at run time.
      name: the name scope of the nodes, by default the names of the bijector and the distribution.

    Raises:
      ValueError: if an override conflicts with the distribution's own shape, or is not a valid shape.

    Example:
      c = tf.contrib.distributions
      log_normal = c.TransformedDistribution(c.Normal(0.0, 1.0), c.bijectors.Exp(), name="LogNormal")
    """

    distribution: Distribution = read_only("The distribution of x.")
    bijector: Any = read_only("The function g.")

    @moved
    def __init__(
        self,
        distribution: Distribution,
        bijector: Bijector | None = None,
        batch_shape: TensorLike | None = None,
        event_shape: TensorLike | None = None,
        validate_args: bool = False,
        name: str | None = None,
    ):
        parameters = dict(locals())
        name = name or (("" if bijector is None else bijector.name) + distribution.name)
        with name_scope(name, values=[event_shape, batch_shape]) as name:
            self._zero = ops.constant(0, dtype=dtypes.int32, name="zero")
            self._empty = ops.constant([], dtype=dtypes.int32, name="empty")
            if bijector is None:
                bijector = Identity(validate_args=validate_args)
            is_scalar = distribution.is_scalar_batch()
            self._override_batch_shape = self._override(
                batch_shape, is_scalar, validate_args, "batch_shape"
            )
            self._is_batch_override = self._is_given(self._override_batch_shape)
            self._may_override_batch = _may_be_given(self._override_batch_shape)
            is_scalar = distribution.is_scalar_event()
            self._override_event_shape = self._override(
                event_shape, is_scalar, validate_args, "event_shape"
            )
            self._is_event_override = self._is_given(self._override_event_shape)
            self._may_override_event = _may_be_given(self._override_event_shape)
            # Event axes drawn as sample axes are left of the batch axes, and must be moved right.
            self._needs_rotation = prefer_static.logical_and(
                self._is_event_override,
                prefer_static.logical_not(self._is_batch_override),
                prefer_static.logical_not(distribution.is_scalar_batch()),
            )
            event_rank = prefer_static.rank_of_shape(self._override_event_shape)
            self._rotate_ndims = prefer_static.pick_scalar(self._needs_rotation, event_rank, 0)
            self._event_axes = ops.range(self._rotate_ndims - event_rank, self._rotate_ndims)
        self._distribution = distribution
        self._bijector = bijector
        super().__init__(
            dtype=self._distribution.dtype,
            reparameterization_type=self._distribution.reparameterization_type,
            validate_args=validate_args,
            allow_nan_stats=self._distribution.allow_nan_stats,
            parameters=parameters,
            graph_parents=distribution._graph_parents + bijector.graph_parents,
            name=name,
        )

    def _override(self, shape: Any, base_is_scalar: Tensor, validate_args: bool, name: str) -> Any:
        """Returns the validated shape override; [] for none."""
        shape = convert_to_tensor([] if shape is None else shape, dtype=dtypes.int32, name=name)
        is_scalar = prefer_static.equal(prefer_static.rank_of_shape(shape), 0)
        if get_static_value(is_scalar):
            return self._empty
        checks = []
        value = get_static_value(shape)
        message = "shape override must have positive elements"
        if value is not None:
            if any(size <= 0 for size in value):
                raise ValueError(message)
        elif validate_args:
            checks.append(ops.assert_positive(shape, message=message))
        is_base_vector = prefer_static.logical_not(base_is_scalar)
        both = prefer_static.logical_and(is_base_vector, prefer_static.logical_not(is_scalar))
        message = "base distribution not scalar"
        if get_static_value(both) is not None:
            if get_static_value(both):
                raise ValueError(message)
        elif validate_args:
            checks.append(ops.assert_equal(both, False, message=message))
        return ops.with_dependencies(checks, shape) if checks else shape

    def _is_given(self, shape: Tensor) -> Tensor:
        rank = prefer_static.rank_of_shape(shape)
        return prefer_static.logical_not(prefer_static.equal(rank, self._zero))

    def _event_shape_tensor(self) -> Tensor:
        event_shape = self.distribution.event_shape_tensor()
        shape = pick_vector(self._is_event_override, self._override_event_shape, event_shape)
        return self.bijector.forward_event_shape_tensor(shape)

    def _event_shape(self) -> TensorShape:
        shape = self.distribution.event_shape
        if self._may_override_event:
            shape = static_shape(self._override_event_shape)
        return self.bijector.forward_event_shape(shape)

    def _batch_shape_tensor(self) -> Tensor:
        batch_shape = self.distribution.batch_shape_tensor()
        return pick_vector(self._is_batch_override, self._override_batch_shape, batch_shape)

    def _batch_shape(self) -> TensorShape:
        if self._may_override_batch:
            return static_shape(self._override_batch_shape)
        return self.distribution.batch_shape

    def _sample_n(
        self, n: Any, seed: Any = None, bijector_kwargs: Any = None, distribution_kwargs: Any = None
    ) -> Tensor:
        shape = prefer_static.concat_vectors(
            pick_vector(self._needs_rotation, self._empty, [n]),
            self._override_batch_shape,
            self._override_event_shape,
            pick_vector(self._needs_rotation, [n], self._empty),
        )
        sample_kwargs = distribution_kwargs or {}
        return self._rotate_axes(
            self.distribution.sample(sample_shape=shape, seed=seed, **sample_kwargs)
        )

    def _transformed(self, samples: Tensor, **condition: Any) -> Tensor:
        """Applies `bijector.forward` last, so that the bijector caches the x of a sample."""
        return self.bijector.forward(samples, **(condition.get("bijector_kwargs") or {}))

    def _log_prob(self, y: Tensor) -> Tensor:
        x = self.bijector.inverse(y)
        event_ndims = self._event_ndims()
        log_det = self.bijector.inverse_log_det_jacobian(y, event_ndims=event_ndims)
        if self.bijector._is_injective:
            return self._log_prob_at(x, log_det, y, event_ndims)
        pairs = zip(x, log_det, strict=True)
        parts = [self._log_prob_at(*pair, y, event_ndims) for pair in pairs]
        return ops.reduce_logsumexp(ops.stack(parts), axis=0)

    def _log_prob_at(self, x: Tensor, log_det: Tensor, y: Tensor, event_ndims: Any) -> Tensor:
        log_prob = self.distribution.log_prob(self._rotate_axes(x, rotate_right=True))
        if self._may_override_event:
            log_prob = ops.reduce_sum(log_prob, self._event_axes)
        log_prob += ops.cast(log_det, log_prob.dtype)
        return self._broadcast_to_batch_shape(log_prob, y, event_ndims)

    def _prob(self, y: Tensor) -> Tensor:
        x = self.bijector.inverse(y)
        event_ndims = self._event_ndims()
        log_det = self.bijector.inverse_log_det_jacobian(y, event_ndims=event_ndims)
        if self.bijector._is_injective:
            return self._prob_at(x, log_det, y, event_ndims)
        pairs = zip(x, log_det, strict=True)
        total: Any = sum([self._prob_at(*pair, y, event_ndims) for pair in pairs])
        return total

    def _prob_at(self, x: Tensor, log_det: Tensor, y: Tensor, event_ndims: Any) -> Tensor:
        prob = self.distribution.prob(self._rotate_axes(x, rotate_right=True))
        if self._may_override_event:
            prob = ops.reduce_prod(prob, self._event_axes)
        prob *= ops.exp(ops.cast(log_det, prob.dtype))
        return self._broadcast_to_batch_shape(prob, y, event_ndims)

    def _broadcast_to_batch_shape(self, value: Tensor, y: Tensor, event_ndims: Any) -> Tensor:
        if self._may_override_event and isinstance(event_ndims, int):
            shape = y.get_shape().with_rank_at_least(1)[:-event_ndims]
            value.set_shape(ops.broadcast_static_shape(shape, self.batch_shape))
        return value

    def _call_inverse(
        self, method: str, y: Tensor, bijector_kwargs: Any, distribution_kwargs: Any
    ) -> Tensor:
        """Calls a distribution method at the unique preimage of y; rejects event shape overrides."""
        self._check_no_override(method)
        x = self.bijector.inverse(y, **(bijector_kwargs or {}))
        return getattr(self.distribution, method)(x, **(distribution_kwargs or {}))

    def _check_no_override(self, method: str) -> None:
        if self._may_override_event:
            raise NotImplementedError(f"{method} is not implemented when overriding event_shape")
        self._check_injective(method)

    def _check_injective(self, method: str) -> None:
        if not self.bijector._is_injective:
            raise NotImplementedError(
                f"{method} is not implemented when bijector is not injective."
            )

    def _log_cdf(
        self, y: Tensor, bijector_kwargs: Any = None, distribution_kwargs: Any = None
    ) -> Tensor:
        return self._call_inverse("log_cdf", y, bijector_kwargs, distribution_kwargs)

    def _cdf(
        self, y: Tensor, bijector_kwargs: Any = None, distribution_kwargs: Any = None
    ) -> Tensor:
        return self._call_inverse("cdf", y, bijector_kwargs, distribution_kwargs)

    def _log_survival_function(
        self, y: Tensor, bijector_kwargs: Any = None, distribution_kwargs: Any = None
    ) -> Tensor:
        return self._call_inverse("log_survival_function", y, bijector_kwargs, distribution_kwargs)

    def _survival_function(
        self, y: Tensor, bijector_kwargs: Any = None, distribution_kwargs: Any = None
    ) -> Tensor:
        return self._call_inverse("survival_function", y, bijector_kwargs, distribution_kwargs)

    def _quantile(
        self, value: Tensor, bijector_kwargs: Any = None, distribution_kwargs: Any = None
    ) -> Tensor:
        self._check_no_override("quantile")
        x = self.distribution.quantile(value, **(distribution_kwargs or {}))
        return self.bijector.forward(x, **(bijector_kwargs or {}))

    def _entropy(self) -> Tensor:
        """Returns the entropy of x plus the log-determinant, which must be constant."""
        if not self.bijector.is_constant_jacobian:
            raise NotImplementedError("entropy is not implemented")
        self._check_injective("entropy")
        entropy = self.distribution.entropy()
        if self._may_override_event:
            draws = ops.reduce_prod(self._override_event_shape)
            entropy *= ops.cast(draws, dtype=entropy.dtype.base_dtype)
        if self._may_override_batch:
            batch_shape_tensor = self.distribution.batch_shape_tensor
            ones = prefer_static.ones_like(self._override_batch_shape)
            entropy = ops.reshape(entropy, ops.concat([ones, batch_shape_tensor()], 0))
            base_ones = prefer_static.ones_like(batch_shape_tensor())
            entropy = ops.tile(entropy, ops.concat([self._override_batch_shape, base_ones], 0))
        shape = ops.concat([self.batch_shape_tensor(), self.event_shape_tensor()], 0)
        broadcast_zeros = ops.zeros(shape=shape, dtype=self.dtype)
        rank: Any = self.event_shape.ndims
        if rank is None:
            rank = ops.size(self.event_shape_tensor())
        log_det = self.bijector.inverse_log_det_jacobian(broadcast_zeros, event_ndims=rank)
        entropy -= ops.cast(log_det, entropy.dtype)
        entropy.set_shape(self.batch_shape)
        return entropy

    def _rotate_axes(self, x: Tensor, rotate_right: bool = False) -> Tensor:
        needed = get_static_value(self._needs_rotation)
        if needed is not None and not needed:
            return x
        rank = ops.rank(x)
        n = (rank - self._rotate_ndims) if rotate_right else self._rotate_ndims
        last = ops.range(n, rank)
        return ops.transpose(x, prefer_static.concat_vectors(last, ops.range(0, n)))

    def _event_ndims(self) -> Any:
        rank = self.event_shape.ndims
        if rank is not None:
            return rank
        size = ops.size(self.event_shape_tensor())
        value = get_static_value(size)
        return size if value is None else value


def _may_be_given(shape: Tensor) -> bool:
    value = get_static_value(shape)
    return bool(value is None or value.size != 0)
