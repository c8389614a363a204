"""Helpers for inference: the next input is the sample from the outputs."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from tfmini._src.base import dtypes
from tfmini._src.base.dtypes import DTypeLike
from tfmini._src.base.names.signature import arguments_of
from tfmini._src.base.read_only import read_only
from tfmini._src.base.shapes import TensorShape
from tfmini._src.base.shapes.tensor_shape import ShapeLike
from tfmini._src.contrib.seq2seq.decoder import (
    check_end_token,
    check_start_tokens,
    embedding_function,
)
from tfmini._src.contrib.seq2seq.helper import Helper
from tfmini._src.contrib.seq2seq.sample_from_logits import draw_categories
from tfmini._src.graph.tensor import Tensor, TensorLike
from tfmini._src.ops import ops


def _check_tensor(outputs: Any) -> None:
    if not isinstance(outputs, Tensor):
        raise TypeError(f"Expected outputs to be a single Tensor, got: {type(outputs)}")


class GreedyEmbeddingHelper(Helper):
    """Uses the embedding of the id with the maximum logit as the next input.

    Args:
      embedding: a function from int32 ids [batch] to inputs, or parameters for `tf.nn.embedding_lookup`.
      start_tokens: int32 [batch], ids of the first step.
      end_token: int32 scalar, the id that ends a sequence.

    Raises:
      ValueError: if `start_tokens` is not a vector or `end_token` is not a scalar.
    """

    batch_size: Tensor = read_only("The size of `start_tokens`.")

    def __init__(
        self,
        embedding: TensorLike | Callable[..., Any],
        start_tokens: TensorLike,
        end_token: TensorLike,
    ):
        self._embedding_fn = embedding_function(embedding)
        tokens = ops.convert_to_tensor(start_tokens, dtype=dtypes.int32, name="start_tokens")
        self._start_tokens = tokens
        self._end_token = ops.convert_to_tensor(end_token, dtype=dtypes.int32, name="end_token")
        check_start_tokens(tokens)
        self._batch_size = ops.size(start_tokens)
        check_end_token(self._end_token)
        self._start_inputs = self._embedding_fn(self._start_tokens)

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
        return ops.tile([False], [self._batch_size]), self._start_inputs

    def sample(
        self, time: Tensor, outputs: Tensor, state: object, name: str | None = None
    ) -> Tensor:
        """Returns the ids with the maximum logits, int32 [batch]."""
        _check_tensor(outputs)
        return ops.argmax(outputs, axis=-1, output_type=dtypes.int32)

    @arguments_of(Helper.next_inputs)
    def next_inputs(self, time: Any, outputs: Any, state: Any, sample_ids: Any, name: Any) -> Any:
        """Returns (finished, embeddings of `sample_ids`, `state`)."""
        finished = ops.equal(sample_ids, self._end_token)
        next_inputs = ops.cond(
            ops.reduce_all(finished),
            lambda: self._start_inputs,
            lambda: self._embedding_fn(sample_ids),
        )
        return finished, next_inputs, state


class SampleEmbeddingHelper(GreedyEmbeddingHelper):
    """Uses the embedding of an id sampled from the softmax of the logits as the next input.

    Args:
      embedding, start_tokens, end_token: as for GreedyEmbeddingHelper.
      softmax_temperature: positive float scalar, divisor of the logits: above 1, sampling is more uniform; below 1,
        closer to the maximum.
      seed: sampling seed.
    """

    def __init__(
        self,
        embedding: TensorLike | Callable[..., Any],
        start_tokens: TensorLike,
        end_token: TensorLike,
        softmax_temperature: TensorLike | None = None,
        seed: int | None = None,
    ):
        super().__init__(embedding, start_tokens, end_token)
        self._softmax_temperature = softmax_temperature
        self._seed = seed

    def sample(
        self, time: Tensor, outputs: Tensor, state: object, name: str | None = None
    ) -> Tensor:
        """Returns the sampled ids, int32 [batch]."""
        _check_tensor(outputs)
        if self._softmax_temperature is not None:
            outputs = outputs / self._softmax_temperature
        return draw_categories(outputs, self._seed)


class InferenceHelper(Helper):
    """Helper that computes samples and next inputs with functions.

    Args:
      sample_fn: function from outputs to sample_ids.
      sample_shape: shape of a sequence's sample.
      sample_dtype: dtype of samples.
      start_inputs: tensor [batch, ...], inputs of the first step.
      end_fn: function from sample_ids to bool [batch], whether sequences end.
      next_inputs_fn: function from sample_ids to inputs; by default the identity.
    """

    sample_ids_shape: TensorShape = read_only(
        "The shape of the samples for one sequence.", "_sample_shape"
    )
    sample_ids_dtype: Any = read_only("The dtype of the samples.", "_sample_dtype")
    batch_size: Tensor = read_only("The batch of `start_inputs`.")

    def __init__(
        self,
        sample_fn: Callable[..., Any],
        sample_shape: ShapeLike,
        sample_dtype: DTypeLike,
        start_inputs: TensorLike,
        end_fn: Callable[..., Any],
        next_inputs_fn: Callable[..., Any] | None = None,
    ):
        self._sample_fn = sample_fn
        self._end_fn = end_fn
        self._sample_shape = TensorShape(sample_shape)
        self._sample_dtype = sample_dtype
        self._next_inputs_fn = next_inputs_fn
        self._batch_size = ops.shape(start_inputs)[0]
        self._start_inputs = ops.convert_to_tensor(start_inputs, name="start_inputs")

    def initialize(self, name: str | None = None) -> tuple[Any, Any]:
        """Returns (finished, inputs) for the first step."""
        return ops.tile([False], [self._batch_size]), self._start_inputs

    def sample(self, time: Tensor, outputs: Tensor, state: object, name: str | None = None) -> Any:
        """Returns the samples of `sample_fn`."""
        return self._sample_fn(outputs)

    @arguments_of(Helper.next_inputs)
    def next_inputs(self, time: Any, outputs: Any, state: Any, sample_ids: Any, name: Any) -> Any:
        """Returns (finished, next inputs, `state`)."""
        result = self._next_inputs_fn
        next_inputs = sample_ids if result is None else result(sample_ids)
        return self._end_fn(sample_ids), next_inputs, state
