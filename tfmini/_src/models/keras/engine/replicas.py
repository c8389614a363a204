"""Models under a distribution strategy, with one replica per device and shared layers; their data and steps."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any

import numpy as np

from tfmini._src.base.nest.structure import flatten, map_structure
from tfmini._src.data.dataset import DatasetV2 as Dataset
from tfmini._src.distribute.reduce_op import ReduceOp
from tfmini._src.models.keras.engine.epoch_batches import array_batches
from tfmini._src.models.keras.engine.input_order import warn_of_order
from tfmini._src.models.keras.engine.run_loop import PREDICT, TEST, TRAIN, concat_outputs
from tfmini._src.models.keras.engine.standardize_arrays import check_dataset, expand_to_columns
from tfmini._src.models.keras.engine.training_arrays import run_epochs
from tfmini._src.models.keras.metrics.metric_by_name import clone
from tfmini._src.nn.layers.backend.function import function
from tfmini._src.nn.layers.backend.keras_graph import get_graph
from tfmini._src.nn.layers.backend.learning_phase import learning_phase_scope
from tfmini._src.nn.layers.backend.session import configure_session, get_session

_STRATEGY_NAME = "tf.distribute.Strategy."


def check_compile(
    model: Any, weighted_metrics: Any, mode: Any, targets: Any, is_eager: Any
) -> None:
    """Raises TensorFlow's errors for `compile` arguments unsupported under a strategy."""
    if mode:
        raise NotImplementedError(f"sample_weight_mode is not supported with {_STRATEGY_NAME}")
    if weighted_metrics:
        raise NotImplementedError(f"weighted_metrics is not supported with {_STRATEGY_NAME}")
    if targets:
        raise ValueError(f"target_tensors is not supported with {_STRATEGY_NAME}")
    if is_eager:
        raise ValueError(
            "We currently do not support enabling `run_eagerly` with distribution strategy."
        )
    if not model.built or not model.inputs or not model.outputs:
        raise ValueError(
            "We currently do not support distribution strategy with a `Sequential` model that is created without "
            "`input_shape`/`input_dim` set in its first layer or a subclassed model."
        )


class Replicas:
    """The replicas of a compiled model.

    Args:
      model: the model, compiled in the strategy's scope.
      strategy: the strategy.
    """

    def __init__(self, model: Any, strategy: Any):
        self._model = model
        self.strategy = strategy
        self._replicas: dict[str, Any] = {}
        self._functions: dict[tuple[str, bool], Callable[[list[Any]], list[Any]]] = {}
        self._has_weights: dict[str, bool] = {}
        configure_session(strategy.configure)

    def check_variables(self) -> None:
        """Raises ValueError if a variable of the model was created outside the strategy's scope."""
        for v in self._model.variables:
            if not self.strategy.extended.variable_created_in_scope(v):
                raise ValueError(
                    f"Variable ({v}) was not created in the distribution strategy scope of ({self.strategy}). It is "
                    "most likely due to not all layers or the model or optimizer being created outside the "
                    "distribution strategy scope. Try to make sure your code looks similar to the following.\n"
                    "with strategy.scope():\n  model=_create_model()\n  model.compile(...)"
                )

    def reset_metrics(self) -> None:
        """Resets the metrics of all replicas, which share state."""
        for replicas in self._replicas.values():
            self.strategy.unwrap(replicas)[0].reset_metrics()

    @contextmanager
    def scope(self, mode: str) -> Iterator[None]:
        """Context manager for the strategy's scope, with the learning phase of a mode."""
        with self.strategy.scope(), learning_phase_scope(int(mode == TRAIN)):
            yield

    # Data ----------------------------------------------------------------------------------------

    def iterator(self, dataset: Dataset) -> Any:
        """Returns an initialized iterator that splits batches among replicas."""
        with self.strategy.scope():
            iterator = self.strategy.make_dataset_iterator(dataset)
            get_session().run(iterator.initialize())
        return iterator

    def fed_tensors(self, iterator: Any, mode: str) -> list[Any]:
        """Returns the tensors to feed to a step: each input of all replicas, followed by targets and weights."""
        model = self._model
        with self.strategy.scope():
            element = iterator.get_next()
            count = len(flatten(element))
            x, y, weights = element, None, None
            if count == len(model.inputs) + len(model.outputs):
                x, y = element
            elif count != len(model.inputs):
                x, y, weights = element
            if isinstance(x, dict):
                x = [x[name] for name in model._feed_input_names]
            values = [expand_to_columns(value) for value in self._replica_values(x)]
            if mode == PREDICT:
                return values
            self._has_weights[mode] = weights is not None
            values += [
                expand_to_columns(value) for value in self._replica_values([] if y is None else y)
            ]
            return values + self._replica_values([] if weights is None else weights)

    def _replica_values(self, values: Any) -> list[Any]:
        """Returns the values of all replicas, by leaf."""
        return [value for leaf in flatten(values) for value in self.strategy.unwrap(leaf)]

    # Steps ---------------------------------------------------------------------------------------

    def function(self, mode: str) -> Callable[[list[Any]], list[Any]]:
        """Returns the step function of all replicas, whose inputs are the tensors of `fed_tensors`."""
        weighted = self._has_weights.get(mode, False)
        if (mode, weighted) not in self._functions:
            with get_graph().as_default(), self.scope(mode):
                self._functions[mode, weighted] = self._make_function(mode, weighted)
        return self._functions[mode, weighted]

    def _make_function(self, mode: str, weighted: bool) -> Callable[[list[Any]], list[Any]]:
        call = self.strategy.extended.call_for_each_replica
        if mode not in self._replicas:
            self._replicas[mode] = call(_build_replica, args=(self._model,))
        for replica in self.strategy.unwrap(self._replicas[mode]):
            replica._note_sample_weights([True] if weighted else None)

        def run_replica(replica: Any) -> tuple[list[Any], list[Any], Any]:
            result = replica._make_function(mode)
            return result.inputs, result.outputs, result.updates_op

        inputs, outputs, updates = call(run_replica, args=(self._replicas[mode],))
        per_replica = self._replica_values(outputs if mode == PREDICT else outputs[1:])
        if mode != PREDICT:
            per_replica.insert(0, self.strategy.reduce(ReduceOp.SUM, outputs[0]))
        name = f"distributed_{mode}_function"
        step = function(
            self._replica_values(inputs),
            per_replica,
            updates=self._replica_values(updates),
            name=name,
        )
        if mode != PREDICT:
            return step
        count = len(self.strategy.extended.worker_devices)

        def predict(values: list[Any]) -> list[Any]:
            results = step(values)
            parts = [results[n * count : (n + 1) * count] for n in range(len(outputs))]
            return [concat_outputs(part) for part in parts]

        return predict


def _build_replica(model: Any) -> Any:
    """Returns a model of the same layers, compiled for the current replica."""
    replica = model._clone(None, lambda layer: layer)
    replica.compile(
        model.optimizer,
        model.loss,
        metrics=map_structure(clone, model._compile_metrics),
        loss_weights=model.loss_weights,
    )
    return replica


# Epochs ------------------------------------------------------------------------------------------


def fit(
    model: Any,
    x: Any,
    y: Any,
    sample_weight: Any,
    class_weight: Any,
    batch_size: Any,
    validation_split: float,
    validation_data: Any,
    shuffle: Any,
    epochs: int,
    steps_per_epoch: Any,
    validation_steps: Any,
    **options: Any,
) -> Any:
    """Implements `Model.fit` under a strategy, with the same arguments."""
    steps, batch_size = _steps_and_batch_size(
        model, x, batch_size, steps_per_epoch, TRAIN, validation_split
    )
    if class_weight:
        raise NotImplementedError(
            "`class_weight` is currently not supported when using tf.distribute.Strategy."
        )
    dataset = _dataset(model, x, y, sample_weight, batch_size, shuffle, epochs, validation_split)
    validation = None
    if validation_data:
        parts = validation_data if isinstance(validation_data, tuple) else (validation_data,)
        val_x, val_y, val_weights = (*parts, None, None)[:3]
        size = None if isinstance(val_x, Dataset) else batch_size
        validation_steps, _ = _steps_and_batch_size(model, val_x, size, validation_steps, TEST)
        data = _dataset(model, val_x, val_y, val_weights, batch_size, shuffle)
        validation = data, None, None
    elif validation_split:
        raise ValueError("validation_split argument is not supported with distribution strategies.")
    with model._replicas.scope(TRAIN):
        return run_epochs(
            model,
            dataset,
            batch_size=batch_size,
            epochs=epochs,
            validation=validation,
            shuffle=shuffle,
            steps_per_epoch=steps,
            validation_steps=validation_steps,
            mode=TRAIN,
            steps_name="steps_per_epoch",
            **options,
        )


def run(
    model: Any,
    mode: str,
    x: Any,
    y: Any,
    sample_weight: Any,
    batch_size: Any,
    steps: Any,
    **options: Any,
) -> Any:
    """Implements `Model.evaluate` and `predict` under a strategy, with the same arguments."""
    steps, batch_size = _steps_and_batch_size(model, x, batch_size, steps, mode)
    dataset = _dataset(model, x, y, sample_weight, batch_size)
    with model._replicas.scope(mode):
        return run_epochs(
            model, dataset, batch_size=batch_size, steps_per_epoch=steps, mode=mode, **options
        )


def raise_unsupported(model: Any, method: str, description: str) -> None:
    """Raises NotImplementedError for a method unsupported under a strategy."""
    if model._replicas is not None:
        raise NotImplementedError(
            f"`{method}` is not supported for models {description} with {_STRATEGY_NAME}"
        )


def _dataset(
    model: Any,
    x: Any,
    y: Any,
    weights: Any,
    batch_size: Any,
    shuffle: Any = False,
    epochs: int = 1,
    split: float = 0.0,
) -> Dataset:
    """Converts data to a dataset of batches."""
    if isinstance(x, Dataset):
        if shuffle:
            warn_of_order(x)
        check_dataset(x, y, weights, split)
        return x
    assert isinstance(flatten(x)[0], np.ndarray), (
        f"Under a strategy, a model accepts arrays or a tf.data.Dataset, not {type(x).__name__}"
    )
    values = [tuple(v) if isinstance(v, list) else v for v in (x, y, weights) if v is not None]
    strategy = model._replicas.strategy
    with strategy.scope():
        dataset = strategy.extended.experimental_make_numpy_dataset(
            tuple(values) if y is not None else values[0], session=get_session()
        )
        if shuffle:
            dataset = dataset.shuffle(max(1024, batch_size * 8))
        if epochs > 1:
            dataset = dataset.repeat(epochs)
        return dataset.batch(batch_size)


def _steps_and_batch_size(
    model: Any, x: Any, batch_size: Any, steps: Any, mode: str, split: float = 0.0
) -> tuple[Any, Any]:
    """Returns the number of steps and the batch size for arrays; only in training may the last batch be smaller."""
    first = flatten(x)[0]
    if isinstance(first, np.ndarray):
        count = first.shape[0]
        if split and 0.0 < split < 1.0:
            count = int(count * (1 - split))
        if steps is None and batch_size is None:
            batch_size = min(count, 32)
        if steps is None and mode != TRAIN and count % batch_size:
            raise ValueError(
                f"The number of samples {count} is not divisible by batch size {batch_size}."
            )
        steps, batch_size = array_batches(count, batch_size, steps, mode != TRAIN)
    return steps, model._batch_size_for(x, batch_size, steps)
