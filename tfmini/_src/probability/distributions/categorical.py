"""The categorical distribution of class indices."""

from __future__ import annotations

from typing import Any

from tfmini._src.base import dtypes
from tfmini._src.base.dtypes import DTypeLike
from tfmini._src.base.read_only import read_only
from tfmini._src.base.shapes import TensorShape
from tfmini._src.graph.convert_to_tensor import convert_to_tensor
from tfmini._src.graph.scopes import name_scope
from tfmini._src.graph.tensor import Tensor, TensorLike
from tfmini._src.ops import ops
from tfmini._src.probability.distributions import checks
from tfmini._src.probability.distributions.deprecation import moved
from tfmini._src.probability.distributions.kullback_leibler import register_kl
from tfmini._src.probability.distributions.parameters import logits_and_probs
from tfmini._src.probability.distributions.reparameterization import NOT_REPARAMETERIZED
from tfmini._src.probability.distributions.scalar import ScalarDistribution


def _broadcast(event: Tensor, params: Tensor, dtype: dtypes.DType) -> tuple[Tensor, Tensor]:
    """Returns class indices as integers, and the parameters broadcast to one row per index."""
    if event.dtype.is_floating:
        event = ops.cast(event, dtype=dtypes.int32)
    elif not event.dtype.is_integer:
        raise TypeError(f"`value` should have integer `dtype` or `self.dtype` ({dtype})")
    batch = params.shape[:-1] if params.shape.ndims is not None else TensorShape(None)
    is_static = batch.is_fully_defined() and event.shape.is_fully_defined()
    if is_static and batch == event.shape:
        return event, params
    params *= ops.ones_like(event[..., None], dtype=params.dtype)
    shape = ops.shape(params)[:-1]
    event *= ops.ones(shape, dtype=event.dtype)
    if params.shape.ndims is not None:
        event.set_shape(TensorShape(params.shape[:-1]))
    return event, params


class Categorical(ScalarDistribution):
    """Categorical distributions of classes from 0 to k - 1. Pass either `logits` or `probs`.

    Args:
      logits: float log-probabilities up to a constant, [..., k].
      probs: float probabilities, [..., k].
      dtype: the DType of samples.
      validate_args: whether to check probabilities and values at run time.
      allow_nan_stats: see `Distribution`.

    Raises:
      ValueError: if both or neither of `logits` and `probs` are passed, or they are scalars.
      TypeError: if they are not floats.

    Example: `tf.distributions.Categorical(probs=[0.1, 0.6, 0.3]).sample(5)  # int32, [5]`.
    """

    event_size: Tensor = read_only("The number of classes, an int32 scalar.")
    logits: Tensor = read_only("Log-probabilities up to a constant.")
    probs: Tensor = read_only("The probabilities of the classes.")

    @moved
    def __init__(
        self,
        logits: TensorLike | None = None,
        probs: TensorLike | None = None,
        dtype: DTypeLike = dtypes.int32,
        validate_args: bool = False,
        allow_nan_stats: bool = True,
        name: str = "Categorical",
    ):
        parameters = dict(locals())
        with name_scope(name, values=[logits, probs]) as name:
            self._logits, self._probs = logits_and_probs(
                logits, probs, validate_args, name, multidimensional=True
            )
            if validate_args:
                self._logits = checks.categories(self._logits)
            self._find_sizes()
        self._init(parameters, name, NOT_REPARAMETERIZED, [self._logits, self._probs], dtype=dtype)

    def _find_sizes(self) -> None:
        """Computes the batch rank, number of classes and batch shape, as constants if statically known."""
        logits_shape = self._logits.get_shape().with_rank_at_least(1)
        if logits_shape.ndims is not None:
            rank = logits_shape.ndims - 1
            self._batch_rank = convert_to_tensor(rank, dtype=dtypes.int32, name="batch_rank")
        else:
            with name_scope(name="batch_rank"):
                self._batch_rank = ops.rank(self._logits) - 1
        shape = ops.shape(self._logits, name="logits_shape")
        size = None if logits_shape.dims is None else logits_shape.dims[-1].value
        if size is not None:
            self._event_size = convert_to_tensor(size, dtype=dtypes.int32, name="event_size")
        else:
            with name_scope(name="event_size"):
                self._event_size = shape[self._batch_rank]
        batch = logits_shape[:-1]
        if batch.is_fully_defined():
            dims = batch.as_list()
            self._batch_dims = ops.constant(dims, dtype=dtypes.int32, name="batch_shape")
        else:
            with name_scope(name="batch_shape"):
                self._batch_dims = shape[:-1]

    def _batch_shape_tensor(self) -> Tensor:
        return ops.identity(self._batch_dims)

    def _batch_shape(self) -> TensorShape:
        return self.logits.get_shape()[:-1]

    def _sample_n(self, n: Any, seed: Any = None) -> Tensor:
        logits = self.logits
        if logits.get_shape().ndims != 2:
            logits = ops.reshape(logits, [-1, self.event_size])
        dtype = dtypes.int64 if self.dtype.size > 4 else dtypes.int32
        draws = ops.multinomial(logits, n, seed=seed, output_dtype=dtype)
        draws = ops.transpose(draws)
        draws = ops.reshape(draws, ops.concat([[n], self.batch_shape_tensor()], 0))
        return ops.cast(draws, self.dtype)

    def _index(self, k: Any) -> Tensor:
        k = convert_to_tensor(k, name="k")
        return checks.check_cast(k, dtypes.int32) if self.validate_args else k

    def _cdf(self, k: Tensor) -> Tensor:
        k, probs = _broadcast(self._index(k), self.probs, self.dtype.base_dtype)
        rows = ops.reshape(probs, (-1, self._event_size))
        flat = ops.reshape(k, [-1])
        mask = ops.sequence_mask(flat, self._event_size)
        lower_probs = ops.where(mask, rows, ops.zeros_like(rows))
        return ops.reshape(ops.reduce_sum(lower_probs, axis=-1), ops.shape(k))

    def _log_prob(self, k: Tensor) -> Tensor:
        k, logits = _broadcast(self._index(k), self.logits, self.dtype.base_dtype)
        return -ops.sparse_softmax_cross_entropy_with_logits(labels=k, logits=logits)

    def _entropy(self) -> Tensor:
        return -ops.reduce_sum(ops.log_softmax(self.logits) * self.probs, axis=-1)

    def _mode(self) -> Tensor:
        mode = ops.cast(ops.argmax(self.logits, axis=self._batch_rank), self.dtype)
        mode.set_shape(self.batch_shape)
        return mode


@register_kl(Categorical, Categorical)
def _kl_categorical_categorical(a: Categorical, b: Categorical, name: str | None = None) -> Tensor:
    with name_scope(name, "kl_categorical_categorical", values=[a.logits, b.logits]):
        ratio = ops.log_softmax(a.logits) - ops.log_softmax(b.logits)
        return ops.reduce_sum(ops.softmax(a.logits) * ratio, axis=-1)
