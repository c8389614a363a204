"""Helper, the source of a BasicDecoder's samples and next inputs; CustomHelper, which calls functions."""

from __future__ import annotations

import abc
from collections.abc import Callable
from typing import Any

from tfmini._src.base import dtypes
from tfmini._src.base.dtypes import DTypeLike
from tfmini._src.base.names.signature import arguments_of
from tfmini._src.base.read_only import read_only
from tfmini._src.base.shapes import TensorShape
from tfmini._src.base.shapes.tensor_shape import ShapeLike
from tfmini._src.graph.scopes import name_scope
from tfmini._src.graph.tensor import Tensor
from tfmini._src.ops import ops


class Helper(abc.ABC):
    """Provides a BasicDecoder's initial inputs, samples of its outputs, and next inputs."""

    @property
    @abc.abstractmethod
    def batch_size(self) -> Any:
        """Number of sequences in the batch, an int32 scalar."""
        raise NotImplementedError("batch_size has not been implemented")

    @property
    @abc.abstractmethod
    def sample_ids_shape(self) -> Any:
        """TensorShape of the samples, without the batch."""
        raise NotImplementedError("sample_ids_shape has not been implemented")

    @property
    @abc.abstractmethod
    def sample_ids_dtype(self) -> Any:
        """Dtype of the samples."""
        raise NotImplementedError("sample_ids_dtype has not been implemented")

    @abc.abstractmethod
    def initialize(self, name: str | None = None) -> Any:
        """Returns (finished, inputs) for the first step."""

    @abc.abstractmethod
    def sample(self, time: Tensor, outputs: Tensor, state: object, name: str | None = None) -> Any:
        """Returns the ids sampled from a step's outputs."""

    @abc.abstractmethod
    def next_inputs(
        self,
        time: Tensor,
        outputs: Tensor,
        state: object,
        sample_ids: Tensor,
        name: str | None = None,
    ) -> Any:
        """Returns (finished, next inputs, next state) after a step."""


class CustomHelper(Helper):
    """A Helper that calls three functions.

    Args:
      initialize_fn: function without arguments that returns (finished, inputs) for the first step.
      sample_fn: function of (time, outputs, state) that returns sample_ids.
      next_inputs_fn: function of (time, outputs, state, sample_ids) that returns (finished, next inputs, next state).
      sample_ids_shape: shape of a sequence's sample; by default a scalar.
      sample_ids_dtype: dtype of samples; by default int32.
    """

    sample_ids_shape: TensorShape = read_only("The shape of the samples for one sequence.")
    sample_ids_dtype: Any = read_only("The dtype of the samples.")

    def __init__(
        self,
        initialize_fn: Callable[..., Any],
        sample_fn: Callable[..., Any],
        next_inputs_fn: Callable[..., Any],
        sample_ids_shape: ShapeLike | None = None,
        sample_ids_dtype: DTypeLike | None = None,
    ):
        self._initialize_fn = initialize_fn
        self._sample_fn = sample_fn
        self._next_inputs_fn = next_inputs_fn
        self._batch_size: Any = None
        self._sample_ids_shape = TensorShape(sample_ids_shape or [])
        self._sample_ids_dtype = sample_ids_dtype or dtypes.int32

    @property
    def batch_size(self) -> Any:
        """Size of `finished`, available after `initialize` is called.

        Raises:
          ValueError: if `initialize` was not called.
        """
        if self._batch_size is None:
            raise ValueError("batch_size accessed before initialize was called")
        return self._batch_size

    def initialize(self, name: str | None = None) -> tuple[Any, Any]:
        """Returns (finished, inputs) for the first step."""
        with name_scope(name, f"{type(self).__name__}Initialize"):
            finished, next_inputs = self._initialize_fn()
            if self._batch_size is None:
                self._batch_size = ops.size(finished)
        return finished, next_inputs

    def sample(self, time: Tensor, outputs: Tensor, state: object, name: str | None = None) -> Any:
        """Returns the ids sampled from a step's outputs."""
        with name_scope(name, f"{type(self).__name__}Sample", (time, outputs, state)):
            return self._sample_fn(time=time, outputs=outputs, state=state)

    @arguments_of(Helper.next_inputs)
    def next_inputs(self, time: Any, outputs: Any, state: Any, sample_ids: Any, name: Any) -> Any:
        """Returns (finished, next inputs, next state) after a step."""
        with name_scope(name, f"{type(self).__name__}NextInputs", (time, outputs, state)):
            return self._next_inputs_fn(
                time=time, outputs=outputs, state=state, sample_ids=sample_ids
            )
