"""scikit-learn's interface for Estimators, and feature columns inferred from arrays."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any

from tfmini._src.base.names.deprecation import deprecated
from tfmini._src.contrib.layers.feature_column.feature_column_ops import infer_real_valued_columns
from tfmini._src.contrib.learn.array_feeder import input_functions
from tfmini._src.contrib.learn.predict import concatenate_batches
from tfmini._src.contrib.learn.sklearn_parameters import Parameters
from tfmini._src.graph.graph import Graph
from tfmini._src.graph.tensor import TensorLike
from tfmini._src.train.monitored.feed_fn_hook import FeedFnHook


class SKCompat(Parameters):
    """Wraps an Estimator in scikit-learn's interface: fit, score and predict with arrays.

    Args:
      estimator: a `tf.contrib.learn` Estimator.

    Example:
      model = tf.contrib.learn.SKCompat(tf.contrib.learn.DNNClassifier([10], columns))
      model.fit(x, y, steps=200)
      model.predict(x)["classes"]
    """

    @deprecated(None, "Please switch to the Estimator interface.")
    def __init__(self, estimator: Any):
        self._estimator = estimator

    def fit(
        self,
        x: TensorLike,
        y: TensorLike,
        batch_size: int = 128,
        steps: int | None = None,
        max_steps: int | None = None,
        monitors: Sequence[Any] | None = None,
    ) -> SKCompat:
        """Trains with arrays; takes the arguments of `Estimator.fit`."""
        function, feed = input_functions(x, y, None, None, batch_size, shuffle=True, epochs=None)
        hooks = [FeedFnHook(feed), *(monitors or [])]
        self._estimator.fit(input_fn=function, steps=steps, max_steps=max_steps, monitors=hooks)
        return self

    def score(
        self,
        x: TensorLike,
        y: TensorLike,
        batch_size: int = 128,
        steps: int | None = None,
        metrics: Mapping[Any, Any] | None = None,
        name: str | None = None,
    ) -> dict[str, Any]:
        """Evaluates with arrays; takes the arguments of `Estimator.evaluate`."""
        function, feed = input_functions(x, y, None, None, batch_size)
        return self._estimator.evaluate(
            input_fn=function, steps=steps, metrics=metrics, name=name, hooks=[FeedFnHook(feed)]
        )

    def predict(
        self, x: TensorLike, batch_size: int = 128, outputs: Sequence[str] | None = None
    ) -> Any:
        """Returns the predictions for all rows: an array, or a dict of arrays.

        Args:
          x: an array, or a dict of arrays.
          batch_size: number of rows per batch.
          outputs: list of prediction keys, by default all.
        """
        function, feed = input_functions(x, None, None, None, batch_size)
        return concatenate_batches(
            list(self._estimator._infer_model(function, feed, outputs, True))
        )


@deprecated(None, "Please specify feature columns explicitly.")
def infer_real_valued_columns_from_input_fn(input_fn: Callable[..., Any]) -> list[Any]:
    """Returns real-valued columns for the features of an input function.

    Args:
      input_fn: returns (features, labels); called in a separate graph.

    Raises:
      ValueError: if a feature is not numeric.
    """
    with Graph().as_default():
        features, _ = input_fn()
        return infer_real_valued_columns(features)


@deprecated(None, "Please specify feature columns explicitly.")
def infer_real_valued_columns_from_input(x: TensorLike) -> list[Any]:
    """Returns real-valued columns for an array.

    Args:
      x: an array, or a dict of arrays.

    Raises:
      ValueError: if an array is not numeric.
    """
    function, _ = input_functions(x, None, None, None, None)
    return infer_real_valued_columns_from_input_fn(function)
