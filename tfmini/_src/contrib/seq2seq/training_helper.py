"""TrainingHelper: feeds the target inputs at each step."""

from __future__ import annotations

from typing import Any

from tfmini._src.base import dtypes
from tfmini._src.base.nest.structure import map_structure
from tfmini._src.base.read_only import read_only
from tfmini._src.base.shapes import TensorShape
from tfmini._src.contrib.seq2seq.helper import Helper
from tfmini._src.graph.scopes import name_scope
from tfmini._src.graph.tensor import Tensor, TensorLike
from tfmini._src.nn.rnn.state_sizes import swap_batch_and_time
from tfmini._src.ops import ops
from tfmini._src.ops.lists.tensor_array import TensorArray


def unstack_steps(tensor: Tensor) -> TensorArray:
    """Returns a TensorArray of the steps of a tensor [time, batch, ...]."""
    array = TensorArray(
        dtype=tensor.dtype, size=ops.shape(tensor)[0], element_shape=tensor.get_shape()[1:]
    )
    return array.unstack(tensor)


class TrainingHelper(Helper):
    """Helper that reads each step's inputs from a tensor; samples are the argmax of the outputs, and unused.

    Args:
      inputs: tensor [batch, time, ...].
      sequence_length: int32 vector [batch].
      time_major: whether inputs are [time, batch, ...].

    Raises:
      ValueError: if `sequence_length` is not a vector.
    """

    inputs: Tensor = read_only("The given inputs.")
    sequence_length: Tensor = read_only("int32 [batch].")
    batch_size: Tensor = read_only("The size of `sequence_length`.")

    def __init__(
        self,
        inputs: TensorLike,
        sequence_length: TensorLike,
        time_major: bool = False,
        name: str | None = None,
    ):
        with name_scope(name, "TrainingHelper", [inputs, sequence_length]):
            inputs = ops.convert_to_tensor(inputs, name="inputs")
            self._inputs = inputs
            if not time_major:
                inputs = swap_batch_and_time(inputs)
            self._input_tas = unstack_steps(inputs)
            self._sequence_length = ops.convert_to_tensor(sequence_length, name="sequence_length")
            if self._sequence_length.get_shape().ndims != 1:
                raise ValueError(
                    "Expected sequence_length to be a vector, but received shape: "
                    f"{self._sequence_length.get_shape()}"
                )
            self._zero_inputs = ops.zeros_like(inputs[0, :])
            self._batch_size = ops.size(sequence_length)

    @property
    def sample_ids_shape(self) -> TensorShape:
        """Shape of a sample, a scalar."""
        return TensorShape([])

    @property
    def sample_ids_dtype(self) -> Any:
        """Dtype of the ids, int32."""
        return dtypes.int32

    def initialize(self, name: str | None = None) -> tuple[Any, Any]:
        """Returns (finished, inputs) for the first step."""
        with name_scope(name, "TrainingHelperInitialize"):
            finished = ops.equal(0, self._sequence_length)
            return finished, self._read_unless(finished, 0)

    def sample(  # type: ignore[override]  # TensorFlow's signature without its unused parameters
        self, time: Tensor, outputs: Tensor, name: str | None = None, **unused_kwargs: Any
    ) -> Any:
        """Returns the argmax of the outputs, int32 [batch]."""
        with name_scope(name, "TrainingHelperSample", [time, outputs]):
            return ops.cast(ops.argmax(outputs, axis=-1), dtypes.int32)

    def next_inputs(  # type: ignore[override]
        self,
        time: Tensor,
        outputs: Tensor,
        state: object,
        name: str | None = None,
        **unused_kwargs: Any,
    ) -> tuple[Any, Any, Any]:
        """Returns (finished, the inputs of the next step, `state`)."""
        with name_scope(name, "TrainingHelperNextInputs", [time, outputs, state]):
            next_time = time + 1
            finished = next_time >= self._sequence_length
            return finished, self._read_unless(finished, next_time), state

    def _read_unless(self, finished: Tensor, time: Any) -> Any:
        """Returns the inputs of a step; zeros if all sequences have ended."""
        return ops.cond(
            ops.reduce_all(finished),
            lambda: self._zero_inputs,
            lambda: map_structure(lambda array: array.read(time), self._input_tas),
        )
