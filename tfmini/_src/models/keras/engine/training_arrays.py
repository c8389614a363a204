"""Training, evaluation and prediction with arrays and datasets."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from tfmini._src.base import logs
from tfmini._src.base.errors import OutOfRangeError
from tfmini._src.base.nest.structure import flatten
from tfmini._src.data.dataset import DatasetV2 as Dataset
from tfmini._src.data.dataset_v1 import make_initializable_iterator
from tfmini._src.data.experimental.dataset_consumers import (
    INFINITE_CARDINALITY,
    cardinality,
)
from tfmini._src.graph.eager.eager_tensor import EagerTensor
from tfmini._src.graph.eager.execution_mode import executing_eagerly
from tfmini._src.graph.tensor import Tensor
from tfmini._src.models.keras.engine.epoch_batches import (
    FIXED_SHAPES,
    NO_MORE_DATA,
    BatchShapes,
    array_batches,
    print_sizes,
    rows_of_batches,
)
from tfmini._src.models.keras.engine.run_loop import (
    PREDICT,
    TEST,
    TRAIN,
    MetricsTotal,
    OutputsTotal,
    make_bar,
    make_callbacks,
    run_loop,
    warn_of_early_end,
)
from tfmini._src.models.keras.engine.standardize_arrays import (
    check_steps,
    has_tensors,
    row_count,
    slice_arrays,
)
from tfmini._src.nn.layers.backend.learning_phase import symbolic_learning_phase
from tfmini._src.nn.layers.backend.session import get_session
from tfmini._src.nn.layers.backend.tensor_values import get_value, is_sparse
from tfmini._src.nn.layers.ragged_values import is_ragged
from tfmini._src.ops import ops


def steps_of_dataset(dataset: Any, name: str) -> Any:
    """Returns the number of batches in a dataset, None if unknown; raises ValueError if infinite."""
    size = int(get_value(cardinality(dataset)))
    if size == INFINITE_CARDINALITY:
        raise ValueError(
            f"When passing an infinitely repeating dataset, you must specify the `{name}` argument."
        )
    return size if size >= 0 else None


def initialized_iterator(dataset: Any, model: Any = None) -> Any:
    """Returns an initialized iterator over a dataset, which splits batches under a strategy."""
    if model is not None and model._replicas is not None:
        return model._replicas.iterator(dataset)
    if executing_eagerly():
        return iter(dataset)
    iterator = make_initializable_iterator(dataset)
    get_session().run(iterator.initializer)
    return iterator


def next_elements(iterator: Any) -> tuple:
    """Returns the next batch as tensors (inputs, targets, weights); None for absent components."""
    elements = next(iterator) if executing_eagerly() else iterator.get_next()
    if not isinstance(elements, (list, tuple)):
        return elements, None, None
    if len(elements) not in (2, 3):
        received = elements[0] if len(elements) == 1 else elements
        raise ValueError(
            "Please provide model inputs as a list or tuple of 2 or 3 elements: (input, target) or (input, target, "
            f"sample_weights) Received {received}"
        )
    return (*elements, None)[:3]


def fed_values(model: Any, inputs: Any, targets: Any, weights: Any, mode: str) -> list:
    """Returns the values to feed in a step: inputs, targets, sample weights and, in training, the learning phase."""
    if isinstance(inputs, dict):
        inputs = [inputs[key] for key in sorted(inputs)]
    values = [*(inputs if isinstance(inputs, (list, tuple)) else [inputs])]
    # Without targets, values shift to the left as in TensorFlow: training reads the phase (1.0) as the target.
    values += targets or []
    values += weights or []
    if mode == TRAIN and _feeds_phase():
        values.append(True)
    return values


def _feeds_phase() -> bool:
    """Whether the learning phase must be fed in training."""
    return not executing_eagerly() and not isinstance(symbolic_learning_phase(), int)


def run_epochs(
    model: Any,
    inputs: Any,
    targets: Any = None,
    sample_weights: Any = None,
    batch_size: Any = None,
    epochs: int = 1,
    verbose: Any = 1,
    callbacks: Any = None,
    validation: Any = None,
    shuffle: Any = True,
    initial_epoch: int = 0,
    steps_per_epoch: Any = None,
    validation_steps: Any = None,
    validation_freq: Any = 1,
    mode: str = TRAIN,
    steps_name: str = "steps",
    prepared: Any = None,
) -> Any:
    """Runs epochs; returns the history in training, otherwise the results.

    Args:
      model: the model.
      inputs, targets, sample_weights: lists of arrays, or a dataset as `inputs`.
      validation: (inputs, targets, weights) for validation, or None.
      prepared: precomputed feeds.
      Other arguments are as in `Model.fit`.
    """
    run = _Run(model, mode, steps_name, epochs)
    run.set_inputs(inputs, targets, sample_weights, steps_per_epoch, batch_size, prepared)
    step = model._make_function(mode, run.batch_shapes())
    validation_run = _Validation(run, validation, validation_steps) if validation else None
    if mode == TRAIN and verbose:
        run.print_sizes(validation_run)
    callback_list = make_callbacks(
        callbacks,
        model,
        mode,
        do_validation=validation is not None,
        batch_size=run.batch_size,
        epochs=epochs,
        steps_per_epoch=run.steps,
        samples=run.count if mode == TRAIN or not run.is_newer else not run.uses_steps,
    )
    bar = make_bar(model, callback_list, "steps" if run.uses_steps else "samples", verbose)
    total = (OutputsTotal if mode == PREDICT else MetricsTotal)(
        run.uses_steps, run.steps if run.uses_steps else run.count
    )

    def run_epoch() -> list:
        batches = run.steps_of_epoch if run.uses_steps else run.slices_of_epoch
        batches(step, callback_list, bar, total, shuffle)
        return total.finish()

    def validate(reuses_iterator: bool) -> list:
        assert validation_run is not None
        return validation_run.run(callback_list, run.batch_size, reuses_iterator)

    return run_loop(
        *(model, mode, callback_list, bar, range(initial_epoch, epochs), run_epoch),
        run.start_again if run.restarts_dataset else None,
        None if validation_run is None else validate,
        validation_freq,
    )


class _EndOfData(Exception):
    """Raised at the end of data, to distinguish it from an OutOfRangeError raised by a callback."""


def _call_until_end(function: Callable[..., Any], *arguments: Any) -> Any:
    """Calls a function; raises _EndOfData when its data end."""
    try:
        return function(*arguments)
    except (StopIteration, OutOfRangeError) as error:
        raise _EndOfData from error


class _Run:
    """Runs epochs over data."""

    def __init__(self, model: Any, mode: str, steps_name: str, epochs: int):
        self.model = model
        self.mode = mode
        self.epochs = epochs
        self._steps_name = steps_name
        self.is_newer = model._has_newer_loop
        self.iterator: Any = None
        self._rows: Any = None
        self.restarts_dataset = False
        self._dataset: Any = None
        self._names: list[str] | None = None
        self._batches = _EagerBatches(model, mode)

    def set_inputs(
        self, inputs: Any, targets: Any, weights: Any, steps: Any, batch_size: Any, prepared: Any
    ) -> None:
        model, mode = self.model, self.mode
        self.batch_size = batch_size
        if isinstance(inputs, Dataset) and prepared is None:
            if steps is None:
                self.restarts_dataset = True
                steps = steps_of_dataset(inputs, self._steps_name)
                if self.is_newer and mode == TRAIN:
                    steps = None  # each epoch ends with the dataset
            self._dataset = inputs
            self.iterator = initialized_iterator(inputs, model)
            if model._replicas is not None:
                prepared = model._replicas.fed_tensors(self.iterator, mode)
            elif not executing_eagerly():
                provided = next_elements(self.iterator)
                inputs, targets, weights = model._standardize_user_data(*provided)
        self.steps = steps
        self.is_dataset = self.iterator is not None or prepared is not None
        self.uses_steps = self.is_dataset or (steps is not None and not self.is_newer)
        if self.iterator is not None and executing_eagerly():
            self.fed: list = []
            self.count = steps
            return
        self.fed = (
            fed_values(model, inputs, targets, weights, mode) if prepared is None else prepared
        )
        if not self.uses_steps:
            self.fed = [get_session().run(x) if is_ragged(x) else x for x in self.fed]
        self.count = steps if self.uses_steps else row_count(self.fed[0])
        if mode != PREDICT and model._replicas is None:
            first = len(model._feed_inputs) + len(model._feed_targets)
            last = -1 if mode == TRAIN and _feeds_phase() else None
            model._note_sample_weights(self.fed[first:last])
        if not self.uses_steps:
            if self._steps_name == "validation_steps" and steps is not None:
                self._steps_per_epoch = steps
            else:
                if steps is None and has_tensors(inputs):
                    check_steps(inputs, steps, "steps_per_epoch")
                self._steps_per_epoch, self.batch_size = array_batches(
                    self.count, batch_size, steps
                )
            if self.is_newer:
                self.steps = self._steps_per_epoch
            feeds = model._feed_inputs
            if mode != PREDICT:
                feeds = feeds + model._feed_targets + model._feed_sample_weights
            self._dense = [
                n
                for n, (x, t) in enumerate(zip(self.fed, feeds))
                if hasattr(x, "tocoo") and not is_sparse(t)
            ]

    def batch_shapes(self) -> BatchShapes:
        """Returns the batch shapes of an epoch, if a single function accepts them."""
        if not self.is_newer:
            return FIXED_SHAPES
        if self.uses_steps:
            return BatchShapes.dataset_shapes(self._dataset.element_spec)
        if self.count % self.batch_size == 0 or not all(
            isinstance(x, np.ndarray) for x in self.fed
        ):
            return FIXED_SHAPES
        return BatchShapes(True, example_shapes=tuple([tuple(x.shape[1:]) for x in self.fed]))

    def print_sizes(self, validation: _Validation | None) -> None:
        """Prints the numbers of training and validation samples or steps."""
        validation_count = validation.count if validation is not None else None
        if self.is_newer:
            has_steps = validation is not None and validation.is_dataset
            print_sizes(
                None if self.uses_steps else self.count,
                self.steps,
                None if has_steps else validation_count,
                validation_count if has_steps else None,
            )
        elif not (executing_eagerly() and self.is_dataset):
            unit = "samples" if self.iterator is None else "steps"
            validates = f", validate on {validation_count} {unit}" if validation_count else ""
            print(f"Train on {self.count} {unit}{validates}")

    def start_again(self) -> None:
        """Restarts the dataset."""
        if executing_eagerly():
            self.iterator = iter(self._dataset)
        else:
            get_session().run(self.iterator.initializer)

    def _values(self) -> list:
        """Returns the values to feed in the next step."""
        if self.iterator is None or not executing_eagerly():
            return self.fed
        return self._batches.fed(next_elements(self.iterator))

    def _run_step(
        self,
        step: Any,
        callback_list: Any,
        bar: Any,
        batch_index: int,
        size: int,
        values: list | None,
    ) -> list:
        """Runs a step with its callbacks; raises _EndOfData at the end of the step's data."""
        from_dataset = self.iterator is not None and executing_eagerly()
        reads_dataset = values is None
        if from_dataset and not self.is_newer:
            values = _call_until_end(self._values)
            size = row_count(values[0])
        batch_logs: dict[str, Any] = {"batch": batch_index, "size": size}
        callback_list.on_batch(self.mode, "begin", batch_index, batch_logs)
        bar.on_batch_begin(batch_index, batch_logs)
        values = _call_until_end(self._values) if values is None else values
        if from_dataset and not (self.is_newer and self.mode == PREDICT):
            batch_logs["size"] = row_count(values[0])
        outs = _call_until_end(step, values) if reads_dataset else step(values)
        outs = outs if isinstance(outs, list) else [outs]
        if self._names is None:  # the same in each step
            self._names = [] if self.mode == PREDICT else self.model.metrics_names
        if self.mode == PREDICT:
            batch_logs["outputs"] = outs
        else:
            batch_logs.update(zip(self._names, outs))
        callback_list.on_batch(self.mode, "end", batch_index, batch_logs)
        bar.on_batch_end(batch_index, batch_logs)
        return outs

    def slices_of_epoch(
        self, step: Any, callback_list: Any, bar: Any, total: Any, shuffle: Any
    ) -> None:
        """Runs an epoch over slices of arrays."""
        if self._rows is None:
            self._rows = rows_of_batches(self.count, self.batch_size, shuffle)
        values = self.fed
        phase = values[-1:] if values and isinstance(values[-1], int) else []
        arrays = values[: len(values) - len(phase)]
        for batch_index in range(self._steps_per_epoch):
            # A validation with more steps than data.
            if batch_index * self.batch_size >= self.count:
                self._end(callback_list, bar, total, batch_index)
                return
            rows = next(self._rows)
            batch = values
            if self.batch_size < self.count or (shuffle and self.is_newer):
                try:
                    batch = slice_arrays(arrays, rows) + phase
                except TypeError:
                    raise TypeError(
                        "TypeError while preparing batch. If using HDF5 input data, pass "
                        'shuffle="batch".'
                    ) from None
            for n in self._dense:
                batch[n] = batch[n].toarray()
            outs = self._run_step(step, callback_list, bar, batch_index, len(rows), batch)
            start = batch_index * self.batch_size
            total.add(outs, start, start + len(rows))
            if callback_list.model.stop_training:
                return

    def steps_of_epoch(
        self, step: Any, callback_list: Any, bar: Any, total: Any, shuffle: Any
    ) -> None:
        """Runs an epoch of steps on tensor data."""
        step_index = 0
        while self.steps is None or step_index < self.steps:
            try:
                outs = self._run_step(step, callback_list, bar, step_index, 1, None)
            except _EndOfData:
                self._end(callback_list, bar, total, step_index)
                return
            total.add(outs)
            step_index += 1
            if callback_list.model.stop_training:
                return

    def _end(self, callback_list: Any, bar: Any, total: Any, step_count: int) -> None:
        if self.is_dataset and not self.steps:
            if step_count:
                total.count = step_count
                if not self.is_newer:
                    self.steps = step_count
                if self.mode == TRAIN or self.is_newer:
                    bar.params["steps"] = step_count
                    bar.progbar.target = step_count
            return
        callback_list.model.stop_training = True
        count = (self.steps or 0) * self.epochs
        if self.is_newer:
            logs.warning(NO_MORE_DATA.format(count))
        else:  # validation data are an iterator
            warn_of_early_end(self.iterator is not None, self._steps_name, count)


class _EagerBatches:
    """Converts the batches of a dataset to fed values in eager mode.

    If batches differ only in size and are fed unchanged or as columns, only the first is validated.
    """

    def __init__(self, model: Any, mode: str):
        self._model = model
        self._mode = mode
        # By dtypes and inner dims: which ones become columns.
        self._columns_by_signature: dict[Any, list[bool]] = {}

    def fed(self, batch: tuple) -> list:
        """Returns the values to feed for a batch (inputs, targets, weights)."""
        leaves = flatten([part for part in batch if part is not None])
        key = _batch_signature(leaves)
        columns = self._columns_by_signature.get(key)
        if columns is not None:
            return [
                _as_column(leaf) if is_column else leaf for leaf, is_column in zip(leaves, columns)
            ]
        x, y, weights = self._model._standardize_user_data(*batch)
        values = fed_values(self._model, x, y, weights, self._mode)
        if key is not None and len(values) == len(leaves) and not self._model.run_eagerly:
            if all(_shares_value(value, leaf) for value, leaf in zip(values, leaves)):
                self._columns_by_signature[key] = [
                    v.ndim != leaf.ndim for v, leaf in zip(values, leaves)
                ]
        return values


def _batch_signature(leaves: list) -> Any:
    """Returns the dtypes and inner dimensions of tensors if their row counts are equal, else None."""
    key: list = []
    for leaf in leaves:
        dims = leaf._dims if leaf.__class__ is EagerTensor else None
        if not dims or dims[0] != leaves[0]._dims[0]:
            return None
        key += (leaf._dtype, dims[1:])
    return tuple(key)


def _as_column(vector: EagerTensor) -> Tensor:
    if vector._memory:
        return ops.expand_dims(vector, 1)
    return EagerTensor(vector._array[:, np.newaxis], vector._dtype)


def _shares_value(value: Any, leaf: EagerTensor) -> bool:
    """Whether an array shares the value of a tensor, possibly as a column."""
    return (
        isinstance(value, np.ndarray)
        and not leaf._memory
        and np.shares_memory(value, leaf._array)
        and value.dtype == leaf._array.dtype
        and value.shape in (leaf._array.shape, (*leaf._array.shape, 1))
    )


class _Validation:
    """Validation data, and their evaluation after an epoch."""

    def __init__(self, run: _Run, data: tuple, steps: Any):
        self._model = run.model
        self._data = data
        self._steps = steps
        self._iterator: Any = None
        self._prepared: Any = None
        inputs = data[0]
        self.is_dataset = isinstance(inputs, Dataset)
        if self.is_dataset:
            if steps is None:
                self._steps = steps_of_dataset(inputs, "validation_steps")
            self.count = self._steps
            if executing_eagerly():
                return
            self._iterator = initialized_iterator(inputs, self._model)
            if self._model._replicas is not None:
                self._prepared = self._model._replicas.fed_tensors(self._iterator, TEST)
                return
            parts = self._model._standardize_user_data(*next_elements(self._iterator))
            self._prepared = fed_values(self._model, parts[0], parts[1], parts[2], TEST)
        else:
            first = next(iter(inputs.values() if isinstance(inputs, dict) else inputs), None)
            self.count = None if first is None else first.shape[0]

    def run(self, callback_list: Any, batch_size: Any, reuses_iterator: bool) -> list:
        results = run_epochs(
            self._model,
            inputs=self._data[0],
            targets=self._data[1],
            sample_weights=self._data[2],
            batch_size=batch_size,
            steps_per_epoch=self._steps,
            callbacks=callback_list,
            verbose=0,
            mode=TEST,
            shuffle=not self._model._has_newer_loop,  # no random numbers are drawn here
            prepared=self._prepared,
            steps_name="validation_steps",
        )
        if self._iterator is not None and reuses_iterator:
            get_session().run(self._iterator.initializer)
        return results if isinstance(results, list) else [results]
