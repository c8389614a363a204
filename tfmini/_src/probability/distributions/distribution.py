"""Base class of all distributions; each public method opens a name scope around a method of the subclass.

For example, `prob` opens the scope "Normal/prob/", converts its argument and calls `_prob`; if the subclass does
not define `_prob`, the result is derived from another method as exp(log_prob).
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING, Any

from tfmini._src.base import dtypes
from tfmini._src.base.dtypes import DTypeLike
from tfmini._src.base.read_only import read_only
from tfmini._src.base.shapes import TensorShape, as_shape
from tfmini._src.graph.convert_to_tensor import convert_to_tensor
from tfmini._src.graph.is_tensor import is_tensor
from tfmini._src.graph.scopes import name_scope
from tfmini._src.graph.static_values import get_static_value
from tfmini._src.graph.tensor import Tensor, TensorLike
from tfmini._src.ops import ops
from tfmini._src.probability.distributions import sample_shapes
from tfmini._src.probability.distributions.deprecation import moved
from tfmini._src.probability.distributions.kullback_leibler import cross_entropy, kl_divergence

if TYPE_CHECKING:
    from tfmini._src.probability.distributions.reparameterization import ReparameterizationType


def first_implemented(first: Callable[[], Tensor], second: Callable[[], Tensor]) -> Tensor:
    """Returns `first()`, or `second()` if that is not implemented; if neither is, raises the error of `first`."""
    try:
        return first()
    except NotImplementedError as error:
        try:
            return second()
        except NotImplementedError:
            raise error from None


class Distribution:
    """A batch of distributions of events, which are numbers, vectors, or tensors of higher rank.

    Samples have the shape `sample_shape + batch_shape + event_shape`: the requested number of samples, the number of
    distributions with different parameters, and the shape of a single draw.

    Subclasses implement a subset of `_sample_n(n, seed)`, `_log_prob` or `_prob`, `_log_cdf` or
    `_cdf`, `_mean`, `_variance` or `_stddev`, `_entropy`, `_mode`, `_quantile`, `_covariance`,
    `_batch_shape`, `_batch_shape_tensor`, `_event_shape`, `_event_shape_tensor`.

    Args:
      dtype: the DType of samples.
      reparameterization_type: `FULLY_REPARAMETERIZED` or `NOT_REPARAMETERIZED`.
      validate_args: whether to check parameters and arguments at run time.
      allow_nan_stats: whether undefined statistics are NaN; otherwise they raise an error at run time.
      parameters: constructor arguments by name, for `copy`.
      graph_parents: the tensors that the distribution depends on.
      name: name and scope of all its nodes; by default the class name.

    Raises:
      ValueError: if one of `graph_parents` is not a tensor.

    Example:
      >>> normal = tf.distributions.Normal(loc=[0.0, 1.0], scale=2.0)
      >>> normal.sample(3)
      <tf.Tensor 'Normal/sample/Reshape:0' shape=(3, 2) dtype=float32>
    """

    name: str = read_only("The name scope of its nodes, with a slash at the end.")
    dtype: dtypes.DType = read_only("The DType of samples.")
    reparameterization_type: Any = read_only(
        "`FULLY_REPARAMETERIZED` if gradients pass through samples, else `NOT_REPARAMETERIZED`."
    )
    allow_nan_stats: bool = read_only(
        "Whether undefined statistics are NaN; otherwise they fail at run time."
    )
    validate_args: bool = read_only(
        "Whether parameters and arguments are checked when the graph runs."
    )

    @moved
    def __init__(
        self,
        dtype: DTypeLike,
        reparameterization_type: ReparameterizationType,
        validate_args: bool,
        allow_nan_stats: bool,
        parameters: dict[str, Any] | None = None,
        graph_parents: list[Any] | None = None,
        name: str | None = None,
    ):
        graph_parents = [] if graph_parents is None else graph_parents
        for i, parent in enumerate(graph_parents):
            if parent is None or not is_tensor(parent):
                raise ValueError(f"Graph parent item {i} is not a Tensor; {parent}.")
        if not name or name[-1] != "/":
            with name_scope(name or type(self).__name__) as name:
                pass
        self._dtype = dtype
        self._reparameterization_type = reparameterization_type
        self._allow_nan_stats = allow_nan_stats
        self._validate_args = validate_args
        self._parameters = parameters or {}
        self._graph_parents = graph_parents
        self._name = name

    def _init(
        self,
        parameters: dict[str, Any],
        name: str,
        reparameterization_type: Any,
        graph_parents: list[Any],
        dtype: Any = None,
    ) -> None:
        """Calls `__init__` with the constructor arguments `parameters`; the dtype defaults to the first parent's."""
        checks, nan = parameters["validate_args"], parameters["allow_nan_stats"]
        dtype = dtype or graph_parents[0].dtype
        Distribution.__init__(
            self, dtype, reparameterization_type, checks, nan, parameters, graph_parents, name
        )

    @classmethod
    def param_shapes(
        cls, sample_shape: TensorLike, name: str = "DistributionParamShapes"
    ) -> dict[str, Tensor]:
        """Returns the shape of each parameter, by name, for which `sample()` has the shape `sample_shape`.

        Args:
          sample_shape: an int32 tensor or list.
        """
        with name_scope(name, values=[sample_shape]):
            return cls._param_shapes(sample_shape)

    @classmethod
    def param_static_shapes(cls, sample_shape: TensorLike) -> dict[str, TensorShape]:
        """Returns `param_shapes` as TensorShapes.

        Raises:
          ValueError: if `sample_shape` is not statically known.
        """
        if isinstance(sample_shape, TensorShape):
            if not sample_shape.is_fully_defined():
                raise ValueError("TensorShape sample_shape must be fully defined")
            sample_shape = sample_shape.as_list()
        shapes = {}
        for name, shape in cls.param_shapes(sample_shape).items():
            value = get_static_value(shape)
            if value is None:
                raise ValueError("sample_shape must be a fully-defined TensorShape or list/tuple")
            shapes[name] = TensorShape(value)
        return shapes

    @staticmethod
    def _param_shapes(sample_shape: Any) -> dict[str, Tensor]:
        raise NotImplementedError("_param_shapes not implemented")

    @property
    def parameters(self) -> dict[str, Any]:
        """The constructor arguments, by name."""
        arguments = {k: v for k, v in self._parameters.items() if k != "self"}
        return {name: value for name, value in arguments.items() if not name.startswith("__")}

    def copy(self, **override_parameters_kwargs: Any) -> Distribution:
        """Returns a distribution of the same class, with the same arguments except for the overrides."""
        return type(self)(**dict(self.parameters, **override_parameters_kwargs))

    def _missing(self, method: str) -> NotImplementedError:
        return NotImplementedError(f"{method} is not implemented: {type(self).__name__}")

    def _batch_shape_tensor(self) -> Tensor:
        raise self._missing("batch_shape_tensor")

    def batch_shape_tensor(self, name: str = "batch_shape_tensor") -> Tensor:
        """Returns the shape of the batch of distributions, as an int32 vector."""
        with self._name_scope(name):
            if self.batch_shape.is_fully_defined():
                dims = self.batch_shape.as_list()
                return convert_to_tensor(dims, dtype=dtypes.int32, name="batch_shape")
            return self._batch_shape_tensor()

    def _batch_shape(self) -> Any:
        return TensorShape(None)

    @property
    def batch_shape(self) -> TensorShape:
        """Static value of `batch_shape_tensor()`, as far as it is known."""
        return as_shape(self._batch_shape())

    def _event_shape_tensor(self) -> Tensor:
        raise self._missing("event_shape_tensor")

    def event_shape_tensor(self, name: str = "event_shape_tensor") -> Tensor:
        """Returns the shape of one draw from one distribution, as an int32 vector."""
        with self._name_scope(name):
            if self.event_shape.is_fully_defined():
                dims = self.event_shape.as_list()
                return convert_to_tensor(dims, dtype=dtypes.int32, name="event_shape")
            return self._event_shape_tensor()

    def _event_shape(self) -> Any:
        return TensorShape(None)

    @property
    def event_shape(self) -> TensorShape:
        """Static value of `event_shape_tensor()`, as far as it is known."""
        return as_shape(self._event_shape())

    def is_scalar_event(self, name: str = "is_scalar_event") -> Tensor:
        """Whether the event shape is [], as a bool scalar tensor."""
        with self._name_scope(name):
            answer = self._is_scalar_helper(self.event_shape, self.event_shape_tensor)
            return convert_to_tensor(answer, name="is_scalar_event")

    def is_scalar_batch(self, name: str = "is_scalar_batch") -> Tensor:
        """Whether the batch shape is [], as a bool scalar tensor."""
        with self._name_scope(name):
            answer = self._is_scalar_helper(self.batch_shape, self.batch_shape_tensor)
            return convert_to_tensor(answer, name="is_scalar_batch")

    def _is_scalar_helper(self, static: TensorShape, shape_tensor: Callable[[], Tensor]) -> Any:
        if static.ndims is not None:
            return static.ndims == 0
        shape = shape_tensor()
        dims = shape.get_shape().dims
        if dims is not None and dims[0].value is not None:
            return dims[0].value == 0
        return ops.equal(ops.shape(shape)[0], 0)

    def _sample_n(self, n: Any, seed: Any = None) -> Tensor:
        raise self._missing("sample_n")

    def sample(
        self, sample_shape: TensorLike = (), seed: int | None = None, name: str = "sample"
    ) -> Tensor:
        """Draws samples.

        Args:
          sample_shape: number of samples, an int32 scalar or vector; () for a single sample without a sample dimension.
          seed: op-level seed; combined with the graph-level seed, see `tf.set_random_seed`.

        Returns:
          A tensor of shape `sample_shape + batch_shape + event_shape`.
        """
        return self._call_sample_n(sample_shape, seed, name)

    def _call_sample_n(self, sample_shape: Any, seed: Any, name: str, **condition: Any) -> Tensor:
        with self._name_scope(name, [sample_shape]):
            shape = convert_to_tensor(sample_shape, dtype=dtypes.int32, name="sample_shape")
            shape, n = self._expand_sample_shape_to_vector(shape, "sample_shape")
            samples = self._sample_n(n, seed, **condition)
            tail = ops.shape(samples)[1:]
            samples = ops.reshape(samples, ops.concat([shape, tail], 0))
            samples = self._transformed(samples, **condition)
            return self._set_sample_static_shape(samples, shape)

    def _expand_sample_shape_to_vector(self, x: Tensor, name: str) -> tuple[Tensor, Any]:
        return sample_shapes.as_vector(x, name)

    def _set_sample_static_shape(self, x: Tensor, sample_shape: Tensor) -> Tensor:
        return sample_shapes.set_static_shape(x, sample_shape, self.batch_shape, self.event_shape)

    def _transformed(self, samples: Tensor, **condition: Any) -> Tensor:
        """Returns the final transformation of samples; the identity unless overridden."""
        return samples

    def _as_value_tensor(self, value: Any) -> Tensor:
        return convert_to_tensor(value, name="value", preferred_dtype=self.dtype)

    def _log_prob(self, value: Any) -> Tensor:
        raise self._missing("log_prob")

    def log_prob(self, value: TensorLike, name: str = "log_prob") -> Tensor:
        """Returns the log density, or log probability for discrete events.

        Args:
          value: tensor broadcastable with `batch_shape + event_shape`.

        Returns:
          A tensor of shape `sample_shape(value) + batch_shape`.
        """
        return self._call_log_prob(value, name)

    def _call_log_prob(self, value: Any, name: str, **condition: Any) -> Tensor:
        with self._name_scope(name, [value]):
            value = self._as_value_tensor(value)
            return first_implemented(
                lambda: self._log_prob(value, **condition),
                lambda: ops.log(self._prob(value, **condition)),
            )

    def _prob(self, value: Any) -> Tensor:
        raise self._missing("prob")

    def prob(self, value: TensorLike, name: str = "prob") -> Tensor:
        """Returns the density, or probability for discrete events. Same arguments as `log_prob`."""
        return self._call_prob(value, name)

    def _call_prob(self, value: Any, name: str, **condition: Any) -> Tensor:
        with self._name_scope(name, [value]):
            value = self._as_value_tensor(value)
            return first_implemented(
                lambda: self._prob(value, **condition),
                lambda: ops.exp(self._log_prob(value, **condition)),
            )

    def _log_cdf(self, value: Any) -> Tensor:
        raise self._missing("log_cdf")

    def log_cdf(self, value: TensorLike, name: str = "log_cdf") -> Tensor:
        """Returns log P[X <= value]. Same arguments as `log_prob`."""
        return self._call_log_cdf(value, name)

    def _call_log_cdf(self, value: Any, name: str, **condition: Any) -> Tensor:
        with self._name_scope(name, [value]):
            value = self._as_value_tensor(value)
            return first_implemented(
                lambda: self._log_cdf(value, **condition),
                lambda: ops.log(self._cdf(value, **condition)),
            )

    def _cdf(self, value: Any) -> Tensor:
        raise self._missing("cdf")

    def cdf(self, value: TensorLike, name: str = "cdf") -> Tensor:
        """Returns the cumulative distribution function P[X <= value]. Same arguments as `log_prob`."""
        return self._call_cdf(value, name)

    def _call_cdf(self, value: Any, name: str, **condition: Any) -> Tensor:
        with self._name_scope(name, [value]):
            value = self._as_value_tensor(value)
            return first_implemented(
                lambda: self._cdf(value, **condition),
                lambda: ops.exp(self._log_cdf(value, **condition)),
            )

    def _log_survival_function(self, value: Any) -> Tensor:
        raise self._missing("log_survival_function")

    def log_survival_function(
        self, value: TensorLike, name: str = "log_survival_function"
    ) -> Tensor:
        """Returns log P[X > value]. Same arguments as `log_prob`."""
        return self._call_log_survival_function(value, name)

    def _call_log_survival_function(self, value: Any, name: str, **condition: Any) -> Tensor:
        with self._name_scope(name, [value]):
            value = self._as_value_tensor(value)
            return first_implemented(
                lambda: self._log_survival_function(value, **condition),
                lambda: ops.log1p(-self.cdf(value, **condition)),
            )

    def _survival_function(self, value: Any) -> Tensor:
        raise self._missing("survival_function")

    def survival_function(self, value: TensorLike, name: str = "survival_function") -> Tensor:
        """Returns P[X > value] = 1 - cdf(value). Same arguments as `log_prob`."""
        return self._call_survival_function(value, name)

    def _call_survival_function(self, value: Any, name: str, **condition: Any) -> Tensor:
        with self._name_scope(name, [value]):
            value = self._as_value_tensor(value)
            return first_implemented(
                lambda: self._survival_function(value, **condition),
                lambda: 1.0 - self.cdf(value, **condition),
            )

    def _entropy(self) -> Tensor:
        raise self._missing("entropy")

    def entropy(self, name: str = "entropy") -> Tensor:
        """Returns the Shannon entropy in nats, -E[log prob(X)], with the batch shape."""
        with self._name_scope(name):
            return self._entropy()

    def _mean(self) -> Tensor:
        raise self._missing("mean")

    def mean(self, name: str = "mean") -> Tensor:
        """Returns the mean, of shape `batch_shape + event_shape`."""
        with self._name_scope(name):
            return self._mean()

    def _quantile(self, value: Any) -> Tensor:
        raise self._missing("quantile")

    def quantile(self, value: TensorLike, name: str = "quantile") -> Tensor:
        """Returns the quantile, the x with P[X <= x] = value: the inverse of `cdf`. Same arguments as `log_prob`."""
        with self._name_scope(name, [value]):
            return self._quantile(self._as_value_tensor(value))

    def _variance(self) -> Tensor:
        raise self._missing("variance")

    def variance(self, name: str = "variance") -> Tensor:
        """Returns the variance E[(X - E[X])^2], of shape `batch_shape + event_shape`."""
        with self._name_scope(name):
            return first_implemented(self._variance, lambda: ops.square(self._stddev()))

    def _stddev(self) -> Tensor:
        raise self._missing("stddev")

    def stddev(self, name: str = "stddev") -> Tensor:
        """Returns the standard deviation, the square root of the variance, of shape `batch_shape + event_shape`."""
        with self._name_scope(name):
            return first_implemented(self._stddev, lambda: ops.sqrt(self._variance()))

    def _covariance(self) -> Tensor:
        raise self._missing("covariance")

    def covariance(self, name: str = "covariance") -> Tensor:
        """Returns the covariances of the elements of a vector event, of shape `batch_shape + [k, k]`."""
        with self._name_scope(name):
            return self._covariance()

    def _mode(self) -> Tensor:
        raise self._missing("mode")

    def mode(self, name: str = "mode") -> Tensor:
        """Returns the most likely event, of shape `batch_shape + event_shape`."""
        with self._name_scope(name):
            return self._mode()

    def _cross_entropy(self, other: Any) -> Tensor:
        return cross_entropy(self, other, allow_nan_stats=self.allow_nan_stats)

    def cross_entropy(self, other: TensorLike, name: str = "cross_entropy") -> Tensor:
        """Returns -E[log other.prob(X)] in nats, with the batch shape; `other` must have the same events."""
        with self._name_scope(name):
            return self._cross_entropy(other)

    def _kl_divergence(self, other: Any) -> Tensor:
        return kl_divergence(self, other, allow_nan_stats=self.allow_nan_stats)

    def kl_divergence(self, other: TensorLike, name: str = "kl_divergence") -> Tensor:
        """Returns KL(self || other) in nats, with the batch shape. See `tf.distributions.kl_divergence`."""
        with self._name_scope(name):
            return self._kl_divergence(other)

    def __str__(self) -> str:
        shapes = [("batch_shape", self.batch_shape), ("event_shape", self.event_shape)]
        shape_text = "".join(f", {k}={shape}" for k, shape in shapes if shape.ndims is not None)
        class_name = type(self).__name__
        return f'tfp.distributions.{class_name}("{self.name}"{shape_text}, dtype={self.dtype.name})'

    def __repr__(self) -> str:
        return (
            f"<tfp.distributions.{type(self).__name__} '{self.name}' "
            f"batch_shape={self.batch_shape} event_shape={self.event_shape} "
            f"dtype={self.dtype.name}>"
        )

    @contextmanager
    def _name_scope(self, name: str | None = None, values: list[Any] | None = None) -> Iterator:
        with name_scope(self.name), name_scope(name, values=(values or []) + self._graph_parents):
            yield
