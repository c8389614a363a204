"""Training, evaluation and prediction with generators, Sequences and, in eager mode, datasets."""

from __future__ import annotations

import inspect
import itertools
from collections.abc import Iterator
from typing import Any

from tfmini._src.base import logs
from tfmini._src.base.errors import OutOfRangeError
from tfmini._src.base.nest.structure import flatten, pack_sequence_as
from tfmini._src.data.dataset import DatasetV2 as Dataset
from tfmini._src.models.keras.engine.epoch_batches import NO_MORE_DATA, print_sizes
from tfmini._src.models.keras.engine.run_loop import (
    PREDICT,
    TEST,
    TRAIN,
    MetricsTotal,
    OutputsTotal,
    add_results,
    make_bar,
    make_callbacks,
    run_loop,
    set_parameters,
    warn_of_early_end,
)
from tfmini._src.models.keras.engine.standardize_arrays import slice_arrays
from tfmini._src.models.keras.engine.training_arrays import (
    initialized_iterator,
    run_epochs,
    steps_of_dataset,
)
from tfmini._src.models.keras.utils.sequence_enqueuer import (
    GeneratorEnqueuer,
    OrderedEnqueuer,
    Sequence,
)


def is_generator(data: Any) -> bool:
    """Whether data come from a generator or a Sequence."""
    if isinstance(data, Sequence) or inspect.isgenerator(data):
        return True
    return hasattr(data, "__next__") and not isinstance(data, Dataset)


def check_arguments(
    data: Any, is_newer: bool, y: Any, sample_weight: Any, validation_split: Any = None
) -> None:
    """Raises ValueError for arguments unsupported for a generator or Sequence by the newer or older loop."""
    if is_newer:
        input_type, adapter = "python generator", "GeneratorDataAdapter"
        if isinstance(data, Sequence):
            input_type, adapter = "`keras.utils.Sequence`", "KerasSequenceAdapter"
        check_split(data, validation_split, adapter)
        for name, value in (("y", y), ("sample_weight", sample_weight)):
            if value is not None:
                raise ValueError(
                    f"`{name}` argument is not supported when using {input_type} as input."
                )
    if y is not None:
        raise ValueError(
            "`y` argument is not supported when data isa generator or Sequence instance. Instead pass targets as "
            "the second element of the generator."
        )
    if sample_weight is not None:
        raise ValueError(
            "`sample_weight` argument is not supported when data isa generator or Sequence instance. Instead pass "
            "sample weights as the third element of the generator."
        )
    if validation_split:
        raise ValueError(
            "If your data is in the form of a Python generator, you cannot use `validation_split`."
        )


def check_split(data: Any, validation_split: Any, adapter: str) -> None:
    """Raises ValueError if the newer loop cannot split the data."""
    if validation_split and 0.0 < validation_split < 1.0:
        raise ValueError(
            f"`validation_split` argument is not supported when data adapter is {adapter}. Received: x={data}, "
            f"validation_split={validation_split}"
        )


def run_generator(
    model: Any,
    data: Any,
    steps_per_epoch: Any = None,
    epochs: int = 1,
    verbose: Any = 1,
    callbacks: Any = None,
    validation_data: Any = None,
    validation_steps: Any = None,
    validation_freq: Any = 1,
    class_weight: Any = None,
    max_queue_size: int = 10,
    workers: int = 1,
    use_multiprocessing: bool = False,
    shuffle: bool = False,
    initial_epoch: int = 0,
    mode: str = TRAIN,
    steps_name: str = "steps",
    batch_size: Any = None,
    as_dataset: bool = False,
) -> Any:
    """Runs epochs; returns the history in training, otherwise the results.

    Args:
      as_dataset: whether to loop over the data like a dataset, as `fit` does in eager mode.
      Other arguments are as in `Model.fit_generator`.
    """
    dataset = data if isinstance(data, Dataset) else None
    starts_again = dataset is not None and steps_per_epoch is None
    if starts_again:
        steps_per_epoch = steps_of_dataset(data, steps_name)
    data, steps = convert_to_generator_like(data, batch_size, steps_per_epoch)
    if not isinstance(data, Sequence) and use_multiprocessing and workers > 1:
        logs.warning(
            "Using a generator with `use_multiprocessing=True` and multiple workers may duplicate your data. Please "
            "consider using the `keras.utils.Sequence` class."
        )
    if steps is None and not as_dataset and dataset is None:
        name = "steps_per_epoch" if mode == TRAIN else "steps"
        raise ValueError(f"Please specify the number of steps via the `{name}` argument.")
    unknown = is_generator(validation_data) and not isinstance(validation_data, Sequence)
    if unknown and not validation_steps:
        raise ValueError("Please specify the `validation_steps` argument.")
    samples = (
        len(data) * _batch_size(data[0]) if as_dataset and isinstance(data, Sequence) else None
    )
    if as_dataset and mode == TRAIN and verbose:
        print_sizes(samples, steps, *_validation_sizes(validation_data, validation_steps))
    batches, enqueuer = data, None
    worker_settings = workers, use_multiprocessing, max_queue_size, shuffle
    if dataset is None:
        batches, enqueuer = _batches(data, *worker_settings)
    if as_dataset and isinstance(data, Sequence):  # each epoch starts with the first batch
        starts_again = steps != len(data)
    settings = {
        "do_validation": validation_data is not None,
        "epochs": epochs,
        "steps_per_epoch": steps,
        "batch_size": batch_size,
        "samples": samples is not None if as_dataset and mode != TRAIN else samples or steps,
    }
    callback_list = make_callbacks(callbacks, model, mode, **settings)
    bar = make_bar(model, callback_list, "steps" if samples is None else "samples", verbose)
    loop = _Loop(model, mode, batches, steps, epochs, steps_name, class_weight, dataset is not None)
    if as_dataset:
        loop.loop_as_over_datasets(samples)

    def run_epoch() -> list:
        return loop.epoch(callback_list, bar, {**settings, "verbose": verbose})

    def start_again() -> None:
        nonlocal enqueuer
        if dataset is not None:
            loop.batches = initialized_iterator(dataset)
            return
        if enqueuer is not None:
            enqueuer.stop()
        loop.batches, enqueuer = _batches(data, *worker_settings)

    def run_validation(_: bool) -> list:
        return _validate(
            *(model, validation_data, validation_steps, loop.batch_size),
            callbacks=callback_list,
            verbose=verbose,
            workers=workers,
            use_multiprocessing=use_multiprocessing,
            max_queue_size=max_queue_size,
        )

    try:
        return run_loop(
            *(model, mode, callback_list, bar, range(initial_epoch, epochs), run_epoch),
            start_again if starts_again else None,
            None if validation_data is None else run_validation,
            validation_freq,
        )
    finally:
        if enqueuer is not None:
            enqueuer.stop()


def convert_to_generator_like(
    data: Any, batch_size: int | None = None, steps_per_epoch: int | None = None
) -> tuple[Any, Any]:
    """Converts data to a source of batches; also returns the number of steps per epoch, or None.

    Args:
      data: a generator, Sequence, dataset or iterator, or a tuple of arrays: inputs, targets and weights
        without None.
      batch_size: batch size for arrays.
      steps_per_epoch: number of steps, if not known from the data.

    Raises:
      ValueError: for arrays without a batch size.
    """
    if is_generator(data):
        if isinstance(data, Sequence) and steps_per_epoch is None:
            steps_per_epoch = len(data)
        return data, steps_per_epoch
    if isinstance(data, Dataset):
        return initialized_iterator(data), steps_per_epoch
    if isinstance(data, tuple):
        data = tuple(part for part in data if any(x is not None for x in flatten(part)))
    if batch_size is None:
        raise ValueError(
            "When passing input data as arrays, do not specify `steps_per_epoch`/`steps` argument. Please use "
            "`batch_size` instead."
        )
    size, arrays = batch_size, flatten(data)
    count = int(arrays[0].shape[0])

    def parts() -> Iterator[Any]:
        while True:
            for start in range(0, count, size):
                yield pack_sequence_as(data, slice_arrays(arrays, start, start + size))

    return parts(), -(-count // size)


def _batches(
    data: Any, workers: int, use_multiprocessing: bool, max_queue_size: int, shuffle: bool
) -> tuple[Any, Any]:
    """Returns an iterator over batches, and the enqueuer that creates them."""
    is_sequence = isinstance(data, Sequence)
    if workers <= 0:
        return (_endless(data) if is_sequence else data), None
    enqueuer: Any = GeneratorEnqueuer(data, use_multiprocessing=use_multiprocessing)
    if is_sequence:
        enqueuer = OrderedEnqueuer(data, use_multiprocessing=use_multiprocessing, shuffle=shuffle)
    enqueuer.start(workers=workers, max_queue_size=max_queue_size)
    return enqueuer.get(), enqueuer


def _endless(sequence: Sequence) -> Iterator[Any]:
    while True:
        yield from sequence


class _Loop:
    """A loop over the epochs of a generator or Sequence."""

    def __init__(
        self,
        model: Any,
        mode: str,
        batches: Any,
        steps: Any,
        epochs: int,
        steps_name: str,
        class_weight: Any,
        is_dataset: bool,
    ):
        self._model = model
        self._mode = mode
        self.batches = batches
        self._steps = steps
        self._epochs = epochs
        self._steps_name = steps_name
        self._class_weight = class_weight
        self._is_dataset = is_dataset
        self.batch_size: Any = None
        self._total: Any = (
            OutputsTotal(True, None) if mode == PREDICT else MetricsTotal(True, steps)
        )
        self._as_dataset = False
        self._first_size = 1

    def loop_as_over_datasets(self, samples: int | None) -> None:
        """Makes the loop call callbacks before fetching batches, and weight `samples` examples (if known) equally."""
        self._as_dataset = True
        if samples is not None:
            self._first_size = samples // self._steps if self._steps else 1
            if self._mode != PREDICT:
                self._total = MetricsTotal(False, samples)

    def epoch(self, callback_list: Any, bar: Any, settings: dict) -> list:
        """Runs one epoch; returns its results."""
        model, mode = self._model, self._mode
        total = self._total
        rows = 0
        for step in itertools.count():
            if step == self._steps:
                break
            batch: Any = None
            batch_logs: dict[str, Any] = {"batch": step, "size": self._first_size}
            if not self._as_dataset:
                batch = self._next_batch(callback_list, step)
                if batch is None:
                    if self._steps is None and step:
                        self._steps = total.count = step
                        if mode == TRAIN:
                            bar.params["steps"] = bar.progbar.target = step
                    break
                batch_logs["size"] = _batch_size(batch)
            callback_list.on_batch(mode, "begin", step, batch_logs)
            bar.on_batch_begin(step, batch_logs)
            if self._as_dataset:
                batch = self._next_batch(callback_list, step)
                if batch is None:
                    if self._steps is None and step:
                        total.count = bar.params["steps"] = bar.progbar.target = step
                    break
            self.batch_size = batch_logs["size"] = _batch_size(batch)
            deferred = not model._is_compiled
            outs = self._run(batch)
            outs = outs if isinstance(outs, list) else [outs]
            if deferred and step == 0:
                set_parameters(
                    callback_list, model, mode, **{**settings, "batch_size": self.batch_size}
                )
                bar.params = callback_list.params
            total.add(outs, rows, rows + self.batch_size)
            rows += self.batch_size
            add_results(model, batch_logs, outs, mode)
            callback_list.on_batch(mode, "end", step, batch_logs)
            bar.on_batch_end(step, batch_logs)
            if callback_list.model.stop_training:
                break
        return total.finish()

    def _run(self, batch: tuple) -> Any:
        if self._mode == TRAIN:
            settings = {"class_weight": self._class_weight, "reset_metrics": False}
            return self._model.train_on_batch(*batch, **settings)
        if self._mode == TEST:
            return self._model.test_on_batch(*batch, reset_metrics=False)
        return self._model.predict_on_batch(batch[0])

    def _next_batch(self, callback_list: Any, step: int) -> tuple | None:
        try:
            batch = next(self.batches)
        except (StopIteration, OutOfRangeError):
            if self._steps is None and (step or self._is_dataset):
                return None
            callback_list.model.stop_training = True
            if self._as_dataset:
                logs.warning(NO_MORE_DATA.format((self._steps or 0) * self._epochs))
                return None
            warn_of_early_end(self._is_dataset, self._steps_name, self._steps * self._epochs)
            return None
        batch = batch if isinstance(batch, tuple) else (batch,)
        if len(batch) not in (1, 2, 3):
            raise ValueError(
                "Output of generator should be a tuple of 1 or 2 or 3 elements: (input,) or (input, target) or "
                f"(input, target, sample_weights). Received {batch}"
            )
        return batch


def _batch_size(batch: Any) -> int:
    return int(flatten(batch)[0].shape[0])


def _validation_sizes(data: Any, steps: Any) -> tuple[Any, Any]:
    """Returns the number of validation examples, if known, and the number of validation steps."""
    if isinstance(data, Dataset):
        return None, steps_of_dataset(data, "validation_steps") if steps is None else steps
    if data is None or is_generator(data):
        return None, steps or (len(data) if isinstance(data, Sequence) else None)
    return _batch_size(data[0]), steps


def _validate(model: Any, data: Any, steps: Any, batch_size: Any, **options: Any) -> list:
    step_options: dict[str, Any] = {"steps_per_epoch": steps, "steps_name": "validation_steps"}
    if not isinstance(data, Dataset) and (is_generator(data) or not model._has_newer_loop):
        results = run_generator(
            model, data, batch_size=batch_size, mode=TEST, **step_options, **options
        )
    else:
        arrays, size = (data, None, None), None
        if not isinstance(data, Dataset):
            arrays, size = model._validation_data(data, batch_size), batch_size
        step_options |= {"callbacks": options["callbacks"], "verbose": 0, "shuffle": False}
        results = run_epochs(model, *arrays, size, mode=TEST, **step_options)
    return results if isinstance(results, list) else [results]
