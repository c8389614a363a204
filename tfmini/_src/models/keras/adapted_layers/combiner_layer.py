"""Layers whose state `adapt` computes by combining batches of data."""

from __future__ import annotations

import abc
from collections.abc import Callable
from typing import Any

import numpy as np

from tfmini._src.base.errors import OutOfRangeError
from tfmini._src.data.dataset import DatasetV2
from tfmini._src.data.dataset_v1 import make_one_shot_iterator
from tfmini._src.data.experimental.dataset_consumers import (
    INFINITE_CARDINALITY,
    cardinality,
)
from tfmini._src.graph.eager.execution_mode import executing_eagerly
from tfmini._src.nn.layers.backend.session import get_session
from tfmini._src.nn.layers.backend.tensor_values import batch_set_value, get_value
from tfmini._src.nn.layers.base_layer import Layer


class PreprocessingLayer(Layer):
    """Base class of layers whose state is computed from data."""

    def adapt(self, data: Any, reset_state: bool = True) -> None:
        """Computes the state from data.

        Args:
          data: a dataset, or an array.
          reset_state: whether to discard the current state first.
        """
        raise NotImplementedError


class CombinerPreprocessingLayer(PreprocessingLayer):
    """A layer whose state is computed by a `Combiner`.

    Subclasses create state variables in `build` with `_add_state_variable`, and use them in `call`.

    Args:
      combiner: the Combiner.
      **kwargs: as in every layer.
    """

    def __init__(self, combiner: Combiner, **kwargs: Any):
        super().__init__(**kwargs)
        self._combiner = combiner
        self.state_variables: dict[str, Any] = {}

    def _add_state_variable(
        self, name: str, shape: Any, dtype: Any, initializer: Any = None, **kwargs: Any
    ) -> Any:
        """Creates a state variable, which `adapt` sets."""
        weight = self.add_weight(
            name, shape=shape, dtype=dtype, initializer=initializer, trainable=False, **kwargs
        )
        self.state_variables[name] = weight
        return weight

    def adapt(self, data: Any, reset_state: bool = True) -> None:
        """Computes the state from data.

        Args:
          data: a finite dataset, or an array.
          reset_state: whether to discard the current state first.

        Raises:
          ValueError: for other data, or an infinite dataset.
        """
        accumulator = None
        if not reset_state:
            state = {name: get_value(variable) for name, variable in self.state_variables.items()}
            accumulator = self._combiner.restore(state)
        if not isinstance(data, DatasetV2 | np.ndarray):
            raise ValueError(
                f"adapt() requires a Dataset or a Numpy array as input, got {type(data)}"
            )
        next_batch = _batches(data) if isinstance(data, DatasetV2) else iter([data]).__next__
        try:
            while True:
                batch = next_batch()
                if not self.built:
                    self.build(getattr(batch, "shape", None))
                accumulator = self._combiner.compute(batch, accumulator)
        except (StopIteration, OutOfRangeError):
            self._set_state_variables(self._combiner.extract(accumulator))

    def _set_state_variables(self, updates: dict[str, Any]) -> None:
        """Sets the state from values by variable name."""
        if not self.built:
            raise RuntimeError("_set_state_variables() must be called after build().")
        batch_set_value([(self.state_variables[name], value) for name, value in updates.items()])


def _batches(dataset: DatasetV2) -> Callable[[], Any]:
    """Returns a function that returns the next element of a dataset, and raises an error at the end."""
    if int(get_value(cardinality(dataset))) == INFINITE_CARDINALITY:
        raise ValueError(
            'The dataset passed to "adapt()" has an infinite number of elements. Please use dataset.take(...) to '
            "make the number of elements finite."
        )
    if executing_eagerly():
        return iter(dataset).__next__
    element = make_one_shot_iterator(dataset).get_next()
    return lambda: get_session().run(element)


class Combiner(abc.ABC):
    """Associative computation over batches, whose state is kept in accumulators of any type."""

    def __repr__(self) -> str:
        return f"<{type(self).__name__}>"

    @abc.abstractmethod
    def compute(self, batch_values: Any, accumulator: Any = None) -> Any:
        """Returns the accumulator of a batch, combined with another accumulator if given."""

    @abc.abstractmethod
    def merge(self, accumulators: Any) -> Any:
        """Merges accumulators into one."""

    @abc.abstractmethod
    def extract(self, accumulator: Any) -> dict[str, Any]:
        """Returns the result arrays of an accumulator, by name."""

    @abc.abstractmethod
    def restore(self, output: dict[str, Any]) -> Any:
        """Restores an accumulator from a result of `extract`."""

    @abc.abstractmethod
    def serialize(self, accumulator: Any) -> bytes:
        """Serializes an accumulator to bytes."""

    @abc.abstractmethod
    def deserialize(self, encoded_accumulator: bytes) -> Any:
        """Deserializes an accumulator."""
