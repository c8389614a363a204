"""`tf.keras.wrappers.scikit_learn`: models with scikit-learn's estimator interface."""

from __future__ import annotations

import copy
import inspect
import types
from collections.abc import Callable
from typing import Any

import numpy as np

from tfmini._src.graph.tensor import TensorLike
from tfmini._src.models.keras.engine.sequential import Sequential
from tfmini._src.models.keras.utils.array_preparation import to_categorical

_CROSSENTROPY = ("categorical_crossentropy", "CategoricalCrossentropy")


def _has_keyword(function: Any, name: str) -> bool:
    """Whether a function accepts a keyword argument with this name."""
    parameter = inspect.signature(function).parameters.get(name)
    by_name = (inspect.Parameter.POSITIONAL_OR_KEYWORD, inspect.Parameter.KEYWORD_ONLY)
    return parameter is not None and parameter.kind in by_name


def _is_categorical(loss: Any) -> bool:
    return (
        loss in _CROSSENTROPY[:1]
        or getattr(loss, "__name__", None) in _CROSSENTROPY
        or type(loss).__name__ in _CROSSENTROPY
    )


class _SklearnWrapper:
    """Base class of both wrappers, which manages the parameters of the build function and the model's methods."""

    model: Any
    __call__: Any

    def __init__(self, build_fn: Any = None, **sk_params: Any):
        self.build_fn = build_fn
        self.sk_params = sk_params
        self.check_params(sk_params)

    def _builder(self) -> Callable[..., Any]:
        """Returns the callable that builds the model."""
        if self.build_fn is None:
            return self.__call__
        if isinstance(self.build_fn, (types.FunctionType, types.MethodType)):
            return self.build_fn
        return self.build_fn.__call__

    def check_params(self, params: dict[str, Any]) -> None:
        """Raises ValueError for a parameter that neither the build function nor the model's methods accept."""
        methods = (
            Sequential.fit,
            Sequential.predict,
            Sequential.predict_classes,
            Sequential.evaluate,
            self._builder(),
        )
        for name in params:
            if name != "nb_epoch" and not any(_has_keyword(method, name) for method in methods):
                raise ValueError(f"{name} is not a legal parameter")

    def get_params(self, **params: Any) -> dict[str, Any]:
        """Returns all parameters; `params` holds arguments of scikit-learn, which are ignored."""
        return {**copy.deepcopy(self.sk_params), "build_fn": self.build_fn}

    def set_params(self, **params: Any) -> Any:
        """Sets parameters.

        Returns:
          `self`.

        Raises:
          ValueError: for an unknown parameter.
        """
        self.check_params(params)
        self.sk_params.update(params)
        return self

    def fit(self, x: Any, y: np.ndarray, **kwargs: Any) -> Any:
        """Builds and trains a model.

        Args:
          x: inputs, an array [samples, ...].
          y: targets, an array [samples] or [samples, outputs].
          **kwargs: arguments of `Model.fit`, which override the constructor's arguments.

        Returns:
          The History.
        """
        build = self._builder()
        self.model = build(**self.filter_sk_params(build))
        if _is_categorical(self.model.loss) and len(y.shape) != 2:
            y = to_categorical(y)
        arguments = copy.deepcopy(self.filter_sk_params(Sequential.fit))
        return self.model.fit(x, y, **{**arguments, **kwargs})

    def filter_sk_params(
        self, fn: Callable[..., Any], override: dict[str, Any] | None = None
    ) -> dict[str, Any]:
        """Returns the parameters that a function accepts, updated by `override`."""
        accepted_params = {
            name: value for name, value in self.sk_params.items() if _has_keyword(fn, name)
        }
        return {**accepted_params, **(override or {})}


class KerasClassifier(_SklearnWrapper):
    """A scikit-learn classifier that wraps a Keras model.

    Args:
      build_fn: function that returns a compiled model; None if a subclass implements `__call__`.
      **sk_params: arguments of `build_fn` and of the model's `fit`, `predict` and `evaluate`.

    Example:
      classifier = tf.keras.wrappers.scikit_learn.KerasClassifier(make_model, units=8, epochs=10)
      sklearn.model_selection.cross_val_score(classifier, x, y)
    """

    def fit(self, x: TensorLike, y: TensorLike, **kwargs: Any) -> Any:
        """Builds and trains a model; class indices are the ranks of the sorted labels.

        Raises:
          ValueError: if `y` is of rank 3 or more.
        """
        y = np.array(y)
        if y.ndim == 2 and y.shape[1] > 1:
            self.classes_ = np.arange(y.shape[1])
        elif y.ndim == 1 or (y.ndim == 2 and y.shape[1] == 1):
            self.classes_ = np.unique(y)
            y = np.searchsorted(self.classes_, y)
        else:
            raise ValueError(f"Invalid shape for y: {y.shape}")
        self.n_classes_ = len(self.classes_)
        return super().fit(x, y, **kwargs)

    def predict(self, x: TensorLike, **kwargs: Any) -> np.ndarray:
        """Returns the predicted labels; `kwargs` is passed to `predict_classes`."""
        kwargs = self.filter_sk_params(Sequential.predict_classes, kwargs)
        return self.classes_[self.model.predict_classes(x, **kwargs)]

    def predict_proba(self, x: TensorLike, **kwargs: Any) -> np.ndarray:
        """Returns the probabilities [samples, classes]; a single output becomes two classes."""
        kwargs = self.filter_sk_params(Sequential.predict_proba, kwargs)
        scores = self.model.predict_proba(x, **kwargs)
        return np.hstack([1 - scores, scores]) if scores.shape[1] == 1 else scores

    def score(self, x: np.ndarray, y: np.ndarray, **kwargs: Any) -> Any:
        """Returns the accuracy.

        Raises:
          ValueError: if the model was compiled without accuracy.
        """
        y = np.searchsorted(self.classes_, y)
        if _is_categorical(self.model.loss) and len(y.shape) != 2:
            y = to_categorical(y)
        kwargs = self.filter_sk_params(Sequential.evaluate, kwargs)
        results = self.model.evaluate(x, y, **kwargs)
        results = results if isinstance(results, list) else [results]
        for name, value in zip(self.model.metrics_names, results):
            if name in ("accuracy", "acc"):
                return value
        raise ValueError(
            "The model is not configured to compute accuracy. You should pass `metrics=["
            '"accuracy"]` to the `model.compile()` method.'
        )


class KerasRegressor(_SklearnWrapper):
    """A scikit-learn regressor that wraps a Keras model; arguments are as in `KerasClassifier`."""

    def predict(self, x: TensorLike, **kwargs: Any) -> np.ndarray:
        """Returns the predicted outputs without axes of size 1."""
        kwargs = self.filter_sk_params(Sequential.predict, kwargs)
        return np.squeeze(self.model.predict(x, **kwargs))

    def score(self, x: TensorLike, y: TensorLike, **kwargs: Any) -> Any:
        """Returns the negated loss, so that higher is better."""
        kwargs = self.filter_sk_params(Sequential.evaluate, kwargs)
        loss = self.model.evaluate(x, y, **kwargs)
        return -loss[0] if isinstance(loss, list) else -loss
