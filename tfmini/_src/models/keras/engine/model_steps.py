"""Single steps of a model: step functions, and methods that process one batch."""

from __future__ import annotations

import inspect
from collections.abc import Mapping
from typing import Any

from tfmini._src.data.dataset import DatasetV2 as Dataset
from tfmini._src.graph.eager.execution_mode import executing_eagerly
from tfmini._src.models.keras.engine import replicas
from tfmini._src.models.keras.engine.eager_steps import make_step, values_of_step
from tfmini._src.models.keras.engine.epoch_batches import FIXED_SHAPES, BatchShapes
from tfmini._src.models.keras.engine.model_io import SaveMixin
from tfmini._src.models.keras.engine.run_loop import PREDICT, TEST, TRAIN
from tfmini._src.models.keras.engine.training_arrays import (
    fed_values,
    initialized_iterator,
    next_elements,
)
from tfmini._src.variables.trackable import no_automatic_dependency_tracking


class Steps(SaveMixin):
    """Mixin of networks that run training, evaluation and prediction steps."""

    def train_on_batch(
        self,
        x: object,
        y: object = None,
        sample_weight: object = None,
        class_weight: Mapping[Any, Any] | None = None,
        reset_metrics: bool = True,
    ) -> Any:
        """Runs one training step.

        Args:
          x, y, sample_weight, class_weight: as in `fit`.
          reset_metrics: whether metrics are computed over this batch only.

        Returns:
          The loss, or a list including metrics, named by `metrics_names`.
        """
        self._check_compiled()
        self._check_call("train_on_batch")
        replicas.raise_unsupported(self, "train_on_batch", "distributed")
        return self._on_batch(TRAIN, x, y, sample_weight, class_weight, reset_metrics)

    def test_on_batch(
        self, x: object, y: object = None, sample_weight: object = None, reset_metrics: bool = True
    ) -> Any:
        """Computes the loss and metrics for one batch; arguments as in `train_on_batch`."""
        self._check_compiled()
        self._check_call("test_on_batch")
        replicas.raise_unsupported(self, "test_on_batch", "distributed")
        return self._on_batch(TEST, x, y, sample_weight, None, reset_metrics)

    def predict_on_batch(self, x: object) -> Any:
        """Computes the outputs for one batch.

        Args:
          x: inputs, as in `predict`.
        """
        self._check_call("predict_on_batch")
        replicas.raise_unsupported(self, "predict_on_batch", "distributed")
        x, _, _ = self._standardize_user_data(x)
        values = fed_values(self, x, None, None, PREDICT)
        if self._has_newer_loop:  # values are passed as tensors
            outputs = self._eager_step(PREDICT)(values, [], [])
        else:
            outputs = self._make_function(PREDICT)(values)
        return outputs[0] if len(outputs) == 1 else outputs

    def _on_batch(
        self, mode: str, x: Any, y: Any, weights: Any, class_weight: Any, reset: bool
    ) -> Any:
        if isinstance(x, Dataset):
            x, y, weights = next_elements(initialized_iterator(x))
        x, y, weights = self._standardize_user_data(x, y, weights, class_weight)
        values = fed_values(self, x, y, weights, mode)
        self._note_sample_weights(weights)
        results = self._make_function(mode)(values)
        if reset:
            self.reset_metrics()
        return results[0] if len(results) == 1 else results

    def _make_function(self, mode: str, shapes: BatchShapes = FIXED_SHAPES) -> Any:
        if executing_eagerly():
            return self._run_eager_step(mode, shapes)
        if self._replicas is not None:
            return self._replicas.function(mode)
        makers = {
            TRAIN: self._make_train_function,
            TEST: self._make_test_function,
            PREDICT: self._make_predict_function,
        }
        return makers[mode]()

    @no_automatic_dependency_tracking
    def _eager_step(self, mode: str, shapes: BatchShapes = FIXED_SHAPES) -> Any:
        steps = vars(self).setdefault("_eager_steps", {})
        if (mode, shapes) not in steps:
            steps[mode, shapes] = make_step(self, mode, shapes)
        return steps[mode, shapes]

    def _run_eager_step(self, mode: str, shapes: BatchShapes) -> Any:
        """Returns a function that runs a step on a list of input, target and weight values."""
        if mode == TRAIN:
            self._check_trainable_weights_consistency()
        step = self._eager_step(mode, shapes)
        inputs = len(self._feed_inputs)
        targets = inputs + (0 if mode == PREDICT else len(self._feed_targets))

        def run(values: list) -> list:
            return values_of_step(step, values[:inputs], values[inputs:targets], values[targets:])

        return run

    def _check_compiled(self) -> None:
        if not self.optimizer:
            raise RuntimeError(
                "You must compile your model before training/testing. Use `model.compile(optimizer, loss)`."
            )

    def _check_call(self, method: str) -> None:
        spec = inspect.getfullargspec(self.call)
        names = spec.args[: len(spec.args) - len(spec.defaults or ())]
        names = [name for name in names if name != "training"]
        if len(names) > 2:
            raise ValueError(
                f"Models passed to `{method}` can only have `training` and the first argument in `call` as "
                f"positional arguments, found: {names[2:]}."
            )
