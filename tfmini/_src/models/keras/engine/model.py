"""`tf.keras.Model`: a network with training, evaluation and prediction."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import TYPE_CHECKING, Any

from tfmini._src.base import logs
from tfmini._src.base.names.signature import arguments_of
from tfmini._src.data.dataset import DatasetV2 as Dataset
from tfmini._src.data.iterator import Iterator
from tfmini._src.data.owned_iterator import OwnedIterator
from tfmini._src.graph.eager.execution_mode import executing_eagerly
from tfmini._src.graph.tensor import TensorLike
from tfmini._src.models.keras.engine import clone_model, replicas
from tfmini._src.models.keras.engine.input_order import warn_of_order
from tfmini._src.models.keras.engine.model_steps import Steps
from tfmini._src.models.keras.engine.run_loop import PREDICT, TEST, TRAIN
from tfmini._src.models.keras.engine.standardize_arrays import (
    check_dataset,
    has_tensors,
    row_count,
    slice_arrays,
)
from tfmini._src.models.keras.engine.training_arrays import (
    run_epochs,
)
from tfmini._src.models.keras.engine.training_generator import (
    check_arguments,
    is_generator,
    run_generator,
)
from tfmini._src.nn.layers.backend.session import get_session
from tfmini._src.nn.layers.ragged_values import is_ragged

if TYPE_CHECKING:
    from tfmini._src.models.keras.callbacks.callback import Callback


class Model(Steps):
    """A trainable network of layers: functional, `tf.keras.Model(inputs, outputs)`, or subclassed.

    Args:
      inputs: a tensor of `tf.keras.Input`, or a structure of them.
      outputs: tensors computed from the inputs by layers.
      name: model name.

    Example:
      x = tf.keras.Input([784])
      model = tf.keras.Model(x, tf.keras.layers.Dense(10, activation="softmax")(x))
      model.compile("adam", "sparse_categorical_crossentropy", metrics=["accuracy"])
      model.fit(images, labels, epochs=5)
    """

    def fit(
        self,
        x: Any = None,
        y: Any = None,
        batch_size: int | None = None,
        epochs: int = 1,
        verbose: int = 1,
        callbacks: Sequence[Callback] | None = None,
        validation_split: float = 0.0,
        validation_data: object = None,
        shuffle: Any = True,
        class_weight: Mapping[Any, Any] | None = None,
        sample_weight: object = None,
        initial_epoch: int = 0,
        steps_per_epoch: int | None = None,
        validation_steps: int | None = None,
        validation_freq: int | Sequence[int] = 1,
        max_queue_size: int = 10,
        workers: int = 1,
        use_multiprocessing: bool = False,
        **kwargs: Any,
    ) -> Any:
        """Trains the model for a number of epochs.

        Args:
          x: inputs: an array, a list or dict of arrays; a dataset, generator or `Sequence` of (inputs, targets).
          y: targets, in the same formats.
          batch_size: number of examples per step, 32 by default.
          epochs: final epoch.
          verbose: 0: silent, 1: progress bar, 2: one line per epoch.
          callbacks: a list of `tf.keras.callbacks.Callback` objects.
          validation_split: fraction of examples at the end to use for validation after each epoch.
          validation_data: (inputs, targets), optionally with weights, or a dataset, for validation.
          shuffle: whether to shuffle examples each epoch, by numpy's generator; "batch" to shuffle batches.
          class_weight: a dict from class index to weight.
          sample_weight: array of example weights.
          initial_epoch: first epoch.
          steps_per_epoch: number of steps per epoch.
          validation_steps: number of steps per validation.
          validation_freq: interval of validations in epochs, or a list of epochs.
          max_queue_size, workers, use_multiprocessing: as in `fit_generator`.

        Returns:
          A History; `history.history["loss"]` lists the losses of all epochs.

        Raises:
          RuntimeError: if the model was not compiled.
          ValueError: if the data do not match the model.
        """
        if "nb_epoch" in kwargs:
            logs.warning("The `nb_epoch` argument in `fit` has been renamed `epochs`.")
            epochs = kwargs.pop("nb_epoch")
        if kwargs:
            raise TypeError("Unrecognized keyword arguments: " + str(kwargs))
        self._check_compiled()
        self._check_call("fit")
        _reject_iterator(x)
        if self._replicas is not None:
            return replicas.fit(
                self,
                x,
                y,
                sample_weight,
                class_weight,
                batch_size,
                validation_split,
                validation_data,
                shuffle,
                epochs,
                steps_per_epoch,
                validation_steps,
                verbose=verbose,
                callbacks=callbacks,
                initial_epoch=initial_epoch,
                validation_freq=validation_freq,
            )
        weighted = class_weight and isinstance(x, Dataset) and executing_eagerly()
        if is_generator(x) or (weighted and not self._has_newer_loop):
            self._batch_size_for(x, batch_size, steps_per_epoch)
            if isinstance(x, Dataset):
                check_dataset(x, y, sample_weight, validation_split)
            else:
                check_arguments(x, self._has_newer_loop, y, sample_weight, validation_split)
            return run_generator(
                self,
                x,
                steps_per_epoch=steps_per_epoch,
                epochs=epochs,
                verbose=verbose,
                callbacks=callbacks,
                validation_data=validation_data,
                validation_steps=validation_steps,
                validation_freq=validation_freq,
                class_weight=class_weight,
                max_queue_size=max_queue_size,
                workers=workers,
                use_multiprocessing=use_multiprocessing,
                shuffle=shuffle,
                initial_epoch=initial_epoch,
                steps_name="steps_per_epoch",
                as_dataset=self._has_newer_loop,
            )
        batch_size = self._batch_size_for(x, batch_size, steps_per_epoch)
        x, y, weights = self._as_array_lists(
            x,
            y,
            sample_weight,
            class_weight,
            batch_size,
            steps_per_epoch,
            "steps_per_epoch",
            validation_split,
        )
        if shuffle and isinstance(x, Dataset) and not self._has_newer_loop:
            warn_of_order(x)
        validation = None
        if validation_data:
            validation = self._validation_data(validation_data, batch_size)
        elif validation_split and 0.0 < validation_split < 1.0:
            x, y, weights, validation = _split_validation(x, y, weights, validation_split)
        elif validation_steps:
            raise ValueError(
                "`validation_steps` should not be specified if `validation_data` is None."
            )
        return run_epochs(
            self,
            x,
            y,
            weights,
            batch_size=batch_size,
            epochs=epochs,
            verbose=verbose,
            callbacks=callbacks,
            validation=validation,
            shuffle=shuffle,
            initial_epoch=initial_epoch,
            steps_per_epoch=steps_per_epoch,
            validation_steps=validation_steps,
            validation_freq=validation_freq,
            mode=TRAIN,
            steps_name="steps_per_epoch",
        )

    def evaluate(
        self,
        x: TensorLike | None = None,
        y: TensorLike | None = None,
        batch_size: int | None = None,
        verbose: int = 1,
        sample_weight: TensorLike | None = None,
        steps: int | None = None,
        callbacks: Sequence[Callback] | None = None,
        max_queue_size: int = 10,
        workers: int = 1,
        use_multiprocessing: bool = False,
    ) -> Any:
        """Computes the loss and metrics over `steps` batches, by default all; other arguments are as in `fit`.

        Returns:
          The loss, or a list including metrics, named by `metrics_names`.

        Raises:
          RuntimeError: if the model was not compiled.
          ValueError: if the data do not match the model.
        """
        self._check_compiled()
        self._check_call("evaluate")
        _reject_iterator(x)
        options: Any
        if self._replicas is not None:
            options = {"verbose": verbose, "callbacks": callbacks}
            return replicas.run(self, TEST, x, y, sample_weight, batch_size, steps, **options)
        batch_size = self._batch_size_for(x, batch_size, steps)
        if is_generator(x):
            check_arguments(x, self._has_newer_loop, y, sample_weight)
            options = {"workers": workers, "use_multiprocessing": use_multiprocessing}
            options |= {"max_queue_size": max_queue_size, "as_dataset": self._has_newer_loop}
            return run_generator(
                self, x, steps, verbose=verbose, callbacks=callbacks, mode=TEST, **options
            )
        x, y, weights = self._as_array_lists(
            x, y, sample_weight, None, batch_size, steps, "steps", 0.0
        )
        return run_epochs(
            self,
            x,
            y,
            weights,
            batch_size=batch_size,
            verbose=verbose,
            steps_per_epoch=steps,
            callbacks=callbacks,
            mode=TEST,
            shuffle=False,
        )

    def predict(
        self,
        x: TensorLike,
        batch_size: int | None = None,
        verbose: int = 0,
        steps: int | None = None,
        callbacks: Sequence[Callback] | None = None,
        max_queue_size: int = 10,
        workers: int = 1,
        use_multiprocessing: bool = False,
    ) -> Any:
        """Computes the outputs for `steps` batches, by default all; other arguments are as in `fit`.

        Returns:
          An array [examples, ...], or a list of arrays for several outputs.

        Raises:
          ValueError: if the data do not match the model.
        """
        self._check_call("predict")
        _reject_iterator(x)
        options: Any
        if self._replicas is not None:
            options = {"verbose": verbose, "callbacks": callbacks}
            return replicas.run(self, PREDICT, x, None, None, batch_size, steps, **options)
        batch_size = self._batch_size_for(x, batch_size, steps)
        if is_generator(x):
            options = {"workers": workers, "use_multiprocessing": use_multiprocessing}
            options |= {"max_queue_size": max_queue_size, "as_dataset": self._has_newer_loop}
            return run_generator(
                self, x, steps, verbose=verbose, callbacks=callbacks, mode=PREDICT, **options
            )
        # No size check here: a partial batch of a stateful model fails only when its states are used.
        x, _, _ = self._as_array_lists(x, None, None, None, None, steps, "steps", 0.0)
        return run_epochs(
            self,
            x,
            batch_size=batch_size,
            verbose=verbose,
            steps_per_epoch=steps,
            callbacks=callbacks,
            mode=PREDICT,
            shuffle=False,
        )

    def fit_generator(
        self,
        generator: Iterable[Any] | Sequence[Any],
        steps_per_epoch: int | None = None,
        epochs: int = 1,
        verbose: int = 1,
        callbacks: Sequence[Callback] | None = None,
        validation_data: object = None,
        validation_steps: int | None = None,
        validation_freq: int | Sequence[int] = 1,
        class_weight: Mapping[Any, Any] | None = None,
        max_queue_size: int = 10,
        workers: int = 1,
        use_multiprocessing: bool = False,
        shuffle: bool = True,
        initial_epoch: int = 0,
    ) -> Any:
        """Runs `fit` on the batches of a generator or `Sequence`: (inputs, targets), optionally with weights.

        Args:
          generator: endless source of batches.
          steps_per_epoch: number of steps per epoch; by default a Sequence's length.
          epochs, verbose, callbacks, validation_data, validation_steps, validation_freq, class_weight,
            initial_epoch: as in `fit`.
          max_queue_size: maximum number of queued batches.
          workers: number of threads that create batches; 0 for none.
          use_multiprocessing: whether to use processes instead.
          shuffle: whether to shuffle a Sequence's batches each epoch.

        Returns:
          A History.
        """
        options = locals()
        del options["self"], options["generator"]
        replicas.raise_unsupported(self, "fit_generator", "compiled")
        self._check_call("fit_generator")
        return run_generator(self, generator, steps_name="steps_per_epoch", **options)

    def evaluate_generator(
        self,
        generator: Iterable[Any] | Sequence[Any],
        steps: int | None = None,
        callbacks: Sequence[Callback] | None = None,
        max_queue_size: int = 10,
        workers: int = 1,
        use_multiprocessing: bool = False,
        verbose: int = 0,
    ) -> Any:
        """Runs `evaluate` on `steps` batches of a generator or `Sequence`; other arguments as in `fit_generator`."""
        options = locals()
        del options["self"], options["generator"], options["steps"]
        replicas.raise_unsupported(self, "evaluate_generator", "compiled")
        self._check_call("evaluate_generator")
        return run_generator(self, generator, steps, mode=TEST, **options)

    @arguments_of(evaluate_generator)
    def predict_generator(self, generator: Any, steps: int | None, **options: Any) -> Any:
        """Runs `predict` on `steps` batches of a generator or `Sequence`; other arguments as in `fit_generator`."""
        replicas.raise_unsupported(self, "predict_generator", "compiled")
        return run_generator(self, generator, steps, mode=PREDICT, **options)

    def _callback_model(self) -> Any:
        return vars(self).get("callback_model") or self

    def _clone(self, input_tensors: Any, clone_function: Any) -> Any:
        """Returns a copy of this functional model; `clone_function` maps each layer to its copy."""
        return clone_model.clone_functional(Model, self, input_tensors, clone_function)


def _reject_iterator(x: Any) -> None:
    if isinstance(x, Iterator | OwnedIterator):
        raise ValueError(
            "For performance reasons Keras `fit`, `evaluate` and`predict` accept tf.data `Datasets` as input but not "
            "iterators that have been manually generated from Datasets by users. Please directly pass in the "
            "original `Dataset` object instead of passing in `iter(dataset)`."
        )


def _split_validation(x: list, y: list, weights: Any, share: float) -> tuple:
    """Splits data into the training examples and the validation examples that follow them."""
    if has_tensors(x):
        raise ValueError(
            "If your data is in the form of symbolic tensors, you cannot use `validation_split`."
        )
    x = [get_session().run(value) if is_ragged(value) else value for value in x]
    split = int(row_count(x[0]) * (1.0 - share))
    later_part = (
        slice_arrays(x, split),
        slice_arrays(y, split),
        slice_arrays(weights, split) if weights else None,
    )
    return (
        slice_arrays(x, 0, split),
        slice_arrays(y, 0, split),
        slice_arrays(weights, 0, split) if weights else weights,
        later_part,
    )
