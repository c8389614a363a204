"""Base classes of canned `tf.contrib.learn` Estimators, with their prediction methods."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any

from tfmini._src.base.names.deprecation import Function, deprecated_arg_values
from tfmini._src.base.names.signature import arguments_of
from tfmini._src.contrib.learn.base_estimator import deprecated_export
from tfmini._src.contrib.learn.estimator import Estimator
from tfmini._src.contrib.learn.model_fn import PredictionKey

deprecated_x_y = deprecated_arg_values(
    "2016-09-15",
    "The default behavior of predict() is changing. The default value for\n"
    "as_iterable will change to True, and then the flag will be removed\n"
    "altogether. The behavior of this flag is described below.",
    as_iterable=False,
)


def deprecate_missing_outputs(method: str) -> Callable[[Function], Function]:
    """Decorator that deprecates `predict` calls without `outputs` in favor of `method`."""
    return deprecated_arg_values(
        "2017-03-01",
        f"Please switch to {method}, or set `outputs` argument.",
        outputs=None,
    )


def _key_values(rows: Any, key: str) -> Iterator[Any]:
    for row in rows:
        yield row[key]


class CannedEstimator(Estimator):
    """An Estimator whose prediction methods return a single output."""

    def _predict_key(self, key: str, x: Any, input_fn: Any, size: int | None, lazy: bool) -> Any:
        rows = Estimator.predict(
            self, x=x, input_fn=input_fn, batch_size=size, outputs=[key], as_iterable=lazy
        )
        return _key_values(rows, key) if lazy else rows[key]

    @deprecated_export
    @arguments_of(Estimator.export, "prediction_key", "checkpoint_path", input_fn=None)
    def export(self, export_dir: Any, *arguments: Any) -> Any:
        """Raises an error, like `Estimator.export`; use `export_savedmodel` to export for serving."""
        return super().export(export_dir)


class Classifier(CannedEstimator):
    """Base class of classifiers."""

    @deprecated_x_y
    @deprecate_missing_outputs("predict_classes")
    @arguments_of(Estimator.predict, "iterate_batches")
    def predict(
        self, x: Any, input_fn: Any, batch_size: int | None, outputs: Any, as_iterable: bool
    ) -> Any:
        """Predicts classes, or the given `outputs`; takes the arguments of `Estimator.predict`."""
        if not outputs:
            return self.predict_classes(x, input_fn, batch_size, as_iterable=as_iterable)
        return super().predict(x, input_fn, batch_size, outputs, as_iterable)

    @deprecated_x_y
    @arguments_of(Estimator.predict, "outputs", "iterate_batches")
    def predict_classes(self, *args: Any) -> Any:
        """Returns the class of each example; takes the arguments of `Estimator.predict`."""
        return self._predict_key(PredictionKey.CLASSES, *args)

    @deprecated_x_y
    @arguments_of(Estimator.predict, "outputs", "iterate_batches")
    def predict_proba(self, *args: Any) -> Any:
        """Returns the class probabilities of each example; takes the arguments of `Estimator.predict`."""
        return self._predict_key(PredictionKey.PROBABILITIES, *args)


class Regressor(CannedEstimator):
    """Base class of regressors."""

    @deprecated_x_y
    @deprecate_missing_outputs("predict_scores")
    @arguments_of(Estimator.predict, "iterate_batches")
    def predict(
        self, x: Any, input_fn: Any, batch_size: int | None, outputs: Any, as_iterable: bool
    ) -> Any:
        """Predicts scores, or the given `outputs`; takes the arguments of `Estimator.predict`."""
        if not outputs:
            return self.predict_scores(x, input_fn, batch_size, as_iterable=as_iterable)
        return super().predict(x, input_fn, batch_size, outputs, as_iterable)

    @deprecated_x_y
    @arguments_of(Estimator.predict, "outputs", "iterate_batches")
    def predict_scores(self, *args: Any) -> Any:
        """Returns the score of each example; takes the arguments of `Estimator.predict`."""
        return self._predict_key(PredictionKey.SCORES, *args)
