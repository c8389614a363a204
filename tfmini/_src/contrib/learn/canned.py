"""Base classes of the canned Estimators of `tf.contrib.learn`: their prediction methods."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from tfmini._src.contrib.learn.estimator import Estimator
from tfmini._src.contrib.learn.model_fn import PredictionKey


def _of_key(rows: Any, key: str) -> Iterator[Any]:
    for row in rows:
        yield row[key]


def _asked(model: Estimator, key: str, x: Any, input_fn: Any, size: Any, lazy: bool) -> Any:
    rows = Estimator.predict(
        model, x=x, input_fn=input_fn, batch_size=size, outputs=[key], as_iterable=lazy
    )
    return _of_key(rows, key) if lazy else rows[key]


class Classifier(Estimator):
    """An Estimator that predicts classes or probabilities."""

    def predict(  # type: ignore[override]  # what classifiers are asked
        self,
        x: Any = None,
        input_fn: Any = None,
        batch_size: int | None = None,
        outputs: Any = None,
        as_iterable: bool = True,
    ) -> Any:
        """The class of each example, or the predictions of `outputs`; arguments of `Estimator.predict`."""
        if not outputs:
            return self.predict_classes(x, input_fn, batch_size, as_iterable)
        return super().predict(x, input_fn, batch_size, outputs, as_iterable)

    def predict_classes(
        self,
        x: Any = None,
        input_fn: Any = None,
        batch_size: int | None = None,
        as_iterable: bool = True,
    ) -> Any:
        """The class of each example; same arguments as `Estimator.predict`."""
        return _asked(self, PredictionKey.CLASSES, x, input_fn, batch_size, as_iterable)

    def predict_proba(
        self,
        x: Any = None,
        input_fn: Any = None,
        batch_size: int | None = None,
        as_iterable: bool = True,
    ) -> Any:
        """The class probabilities of each example; same arguments as `Estimator.predict`."""
        return _asked(self, PredictionKey.PROBABILITIES, x, input_fn, batch_size, as_iterable)

    def export(  # type: ignore[override]  # as there
        self,
        export_dir: Any,
        input_fn: Any = None,
        input_feature_key: str | None = None,
        use_deprecated_input_fn: bool = True,
        signature_fn: Any = None,
        default_batch_size: int = 1,
        exports_to_keep: int | None = None,
    ) -> Any:
        """Always raises, like `Estimator.export`; use `export_savedmodel` to export for serving."""
        return super().export(export_dir)


class Regressor(Estimator):
    """An Estimator that predicts numbers."""

    def predict(  # type: ignore[override]  # what regressions are asked
        self,
        x: Any = None,
        input_fn: Any = None,
        batch_size: int | None = None,
        outputs: Any = None,
        as_iterable: bool = True,
    ) -> Any:
        """The score of each example, or the predictions of `outputs`; arguments of `Estimator.predict`."""
        if not outputs:
            return self.predict_scores(x, input_fn, batch_size, as_iterable)
        return super().predict(x, input_fn, batch_size, outputs, as_iterable)

    def predict_scores(
        self,
        x: Any = None,
        input_fn: Any = None,
        batch_size: int | None = None,
        as_iterable: bool = True,
    ) -> Any:
        """The score of each example; same arguments as `Estimator.predict`."""
        return _asked(self, PredictionKey.SCORES, x, input_fn, batch_size, as_iterable)

    def export(  # type: ignore[override]  # as there
        self,
        export_dir: Any,
        input_fn: Any = None,
        input_feature_key: str | None = None,
        use_deprecated_input_fn: bool = True,
        signature_fn: Any = None,
        default_batch_size: int = 1,
        exports_to_keep: int | None = None,
    ) -> Any:
        """Always raises, like `Estimator.export`; use `export_savedmodel` to export for serving."""
        return super().export(export_dir)
