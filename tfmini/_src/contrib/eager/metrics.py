"""`tf.contrib.eager.metrics`: metric objects that accumulate batches in variables."""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from typing import Any

from tfmini._src.base import dtypes
from tfmini._src.base.dtypes import DTypeLike
from tfmini._src.base.read_only import read_only
from tfmini._src.functions.tf_function import defun
from tfmini._src.graph.default_graph import get_default_graph
from tfmini._src.graph.eager.execution_mode import executing_eagerly
from tfmini._src.graph.graph_keys import GraphKeys
from tfmini._src.graph.tensor import Tensor, TensorLike
from tfmini._src.ops import ops
from tfmini._src.session.eager.enable import eager_mode
from tfmini._src.train.summary_v2 import summary_ops
from tfmini._src.variables.get_variable import get_variable
from tfmini._src.variables.initializers import Zeros
from tfmini._src.variables.trackable import Trackable
from tfmini._src.variables.variable_scope import variable_scope


class Metric(Trackable):
    """Base class of metrics: subclasses create variables in `build`, update them in `call`, and define `result`.

    Args:
      name: metric name, by default the class name; made unique among variable scopes.
      use_global_variables: whether variables are global instead of local in graph mode.

    Example:
      metric = tf.contrib.eager.metrics.Mean()
      metric([1.0, 3.0])
      metric.result()  # 2.0
    """

    name: str = read_only("The metric's name.")
    variables: list[Any] = read_only(
        "The metric's variables; available after the first call.", "_vars"
    )

    def __init__(self, name: str | None = None, use_global_variables: bool = False) -> None:
        self._built = False
        self._vars: list[Any] = []
        self._initial_values: dict[Any, Tensor] = {}
        self._use_global_variables = use_global_variables
        name = name or type(self).__name__
        scope_name = re.sub("[^A-Za-z0-9.]", "_", name)
        with variable_scope(scope_name, use_resource=True, reuse=False) as scope:
            self._name = name + scope.name[scope.name.rfind(scope_name) + len(scope_name) :]
            self._scope = scope
        self._build = self.build
        self.build = self._build_once  # type: ignore[method-assign]  # also applies to calls by the program
        self._construction_scope: Callable[[], Any] = eager_mode
        if not executing_eagerly():
            self._construction_scope = get_default_graph().as_default
            self.call = defun(self.call)  # type: ignore[method-assign]  # all updates are one operation

    def _build_once(self, *args: Any, **kwargs: Any) -> None:
        self._build(*args, **kwargs)
        self._built = True

    def __call__(self, *args: Any, **kwargs: Any) -> Any:
        """Passes the arguments to `call`, which accumulates a batch; returns its result."""
        if not self._built:
            with variable_scope(self._scope), self._construction_scope():
                self.build(*args, **kwargs)
        return self.call(*args, **kwargs)

    def init_variables(self) -> Any:
        """Resets the variables to their initial values; in graph mode, returns the resetting operation."""
        if not executing_eagerly():
            return ops.group([v.initializer for v in self._vars])
        for variable in self._vars:
            variable.assign(self._initial_values[variable])
        return None

    def build(self, *args: Any, **kwargs: Any) -> None:
        """Creates the variables; called before the first `call`, with the same arguments."""
        raise NotImplementedError("Metrics must define a build() member function")

    def call(self, *args: Any, **kwargs: Any) -> Any:
        """Updates the variables with a batch."""
        raise NotImplementedError("Metrics must define a call() member function")

    def result(self) -> Any:
        """Returns the value of the metric."""
        raise NotImplementedError("Metrics must define a result() member function")

    def value(self) -> Any:
        """The result in graph mode, or a function that returns it in eager mode."""
        return self.result if executing_eagerly() else self.result()

    def aggregate(self, metrics: Sequence[Metric]) -> None:
        """Adds the state of other metrics of the same class.

        Raises:
          TypeError: for a metric of any other class.
          ValueError: for any other variable names.
        """
        for metric in metrics:
            if type(self) is not type(metric):
                raise TypeError(
                    f"All metrics must be the same type, '{type(self)}' != '{type(metric)}'."
                )
        for index, variable in enumerate(self._vars):
            variables = [metric._vars[index] for metric in metrics]
            if any(other.name != variable.name for other in variables):
                raise ValueError("All metrics must have variables in the same order.")
            variable.assign_add(ops.add_n(variables))

    def add_variable(
        self,
        name: str,
        shape: TensorLike | None = None,
        dtype: DTypeLike | None = None,
        initializer: str | Callable[..., Any] | None = None,
    ) -> Any:
        """Creates a variable; callable only from `build`.

        Raises:
          RuntimeError: if called elsewhere.
        """
        if self._built:
            raise RuntimeError("Can't call add_variable() except in build().")
        is_eager = executing_eagerly()
        collection = (
            GraphKeys.GLOBAL_VARIABLES if self._use_global_variables else GraphKeys.LOCAL_VARIABLES
        )
        variable = get_variable(
            name,
            shape=shape,
            dtype=dtype,
            initializer=initializer,
            trainable=False,
            collections=None if is_eager else [collection, GraphKeys.METRIC_VARIABLES],
            use_resource=True,
        )
        self._track_trackable(variable, name, overwrite=True)
        self._vars.append(variable)
        if is_eager:
            self._initial_values[variable] = variable.value()
        return variable


class Mean(Metric):
    """Weighted mean of all values.

    Args:
      name: metric name.
      dtype: dtype of variables and result.
      use_global_variables: see `Metric`.
    """

    def __init__(
        self,
        name: str | None = None,
        dtype: DTypeLike = dtypes.float64,
        use_global_variables: bool = False,
    ) -> None:
        super().__init__(name=name, use_global_variables=use_global_variables)
        self.dtype = dtype

    def build(self, *args: Any, **kwargs: Any) -> None:
        """Creates the sum and count variables."""
        self.numer = self.add_variable("numer", (), self.dtype, Zeros)
        self.denom = self.add_variable("denom", (), self.dtype, Zeros)

    def call(self, values: TensorLike, weights: TensorLike | None = None) -> Any:
        """Accumulates weighted values, with weight 1 by default; returns the arguments."""
        if weights is None:
            self.denom.assign_add(ops.cast(ops.identity(ops.size(values)), self.dtype))
            values = ops.reduce_sum(values)
            self.numer.assign_add(ops.cast(values, self.dtype))
            return values
        weights = ops.cast(weights, self.dtype)
        self.denom.assign_add(ops.reduce_sum(weights))
        values = ops.cast(values, self.dtype) * weights
        self.numer.assign_add(ops.reduce_sum(values))
        return values, weights

    def result(self, write_summary: Any = True) -> Any:
        """Returns the mean; also writes it as a scalar summary, unless `write_summary` is false."""
        write_summary = ops.convert_to_tensor(write_summary)
        mean = self.numer / self.denom

        def summarize_mean() -> Any:
            summary_ops.scalar(name=self.name, tensor=mean)
            return mean

        ops.smart_cond(write_summary, summarize_mean, lambda: mean, name="")
        return mean


class _MeanOfMatches(Mean):
    """Base class of metrics that return the fraction of correct predictions."""

    def __init__(self, name: str | None = None, dtype: DTypeLike = dtypes.float64) -> None:
        super().__init__(name=name, dtype=dtype)

    def call(self, labels: Any, predictions: Any, weights: Any = None) -> Any:  # type: ignore[override]
        """Accumulates labels and predictions, each with its weight, 1 by default; returns the arguments."""
        self._check(labels, predictions)
        labels, predictions = self._compared_values(labels, predictions)
        matches = ops.cast(ops.equal(labels, predictions), self.dtype)
        Mean.call(self, matches, weights=weights)
        return (labels, predictions) if weights is None else (labels, predictions, weights)

    def _check(self, labels: Any, predictions: Any) -> None:
        ops.assert_equal(
            ops.shape(labels),
            ops.shape(predictions),
            message="Shapes of labels and predictions are unequal",
        )

    def _compared_values(self, labels: Any, predictions: Any) -> tuple[Any, Any]:
        """Returns the values to compare."""
        return labels, predictions


class Accuracy(_MeanOfMatches):
    """Fraction of predictions that equal their labels; both tensors have the same shape and dtype."""


class CategoricalAccuracy(_MeanOfMatches):
    """Fraction of predictions that have the same argmax as their labels, both [..., classes]."""

    def _compared_values(self, labels: Any, predictions: Any) -> tuple[Any, Any]:
        return ops.argmax(labels, axis=-1), ops.argmax(predictions, axis=-1)


class BinaryAccuracy(_MeanOfMatches):
    """Fraction of predictions on the correct side of a threshold: above it for label 1, else for label 0.

    Args:
      threshold: the largest prediction that counts as label 0.
      name: metric name.
      dtype: dtype of variables and result.
    """

    def __init__(
        self, threshold: float, name: str | None = None, dtype: DTypeLike = dtypes.float64
    ) -> None:
        super().__init__(name=name, dtype=dtype)
        self.threshold = threshold

    def _compared_values(self, labels: Any, predictions: Any) -> tuple[Any, Any]:
        return ops.cast(labels, dtypes.bool), ops.convert_to_tensor(predictions) > self.threshold


class SparseAccuracy(_MeanOfMatches):
    """Fraction of predictions, [batch, classes], whose argmax is the label, [batch] integers."""

    def _check(self, labels: Any, predictions: Any) -> None:
        ops.assert_equal(
            ops.shape(labels),
            ops.shape(predictions)[0],
            message="First axis of labels and predictions is unequal",
        )

    def _compared_values(self, labels: Any, predictions: Any) -> tuple[Any, Any]:
        return ops.cast(labels, dtypes.int64), ops.argmax(predictions, axis=-1)
