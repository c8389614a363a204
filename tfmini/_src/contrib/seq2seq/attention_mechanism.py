"""Base classes of attention mechanisms over a memory.

A mechanism is called with a query [batch, depth] and its previous state; it returns alignments [batch, time], one
probability per memory position, and its next state.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from tfmini._src.base import dtypes
from tfmini._src.base.dtypes import DTypeLike
from tfmini._src.base.nest.structure import flatten, map_structure
from tfmini._src.base.read_only import read_only
from tfmini._src.base.shapes import dimension_value
from tfmini._src.graph.scopes import control_dependencies, name_scope
from tfmini._src.graph.tensor import Tensor, TensorLike
from tfmini._src.nn.layers.base import Layer
from tfmini._src.nn.rnn.rnn_cell import _zero_state_tensors
from tfmini._src.ops import ops


class AttentionMechanism:
    """Interface of attention mechanisms, used by AttentionWrapper."""

    @property
    def alignments_size(self) -> Any:
        """Number of memory positions, an int or int32 scalar."""
        raise NotImplementedError

    @property
    def state_size(self) -> Any:
        """Size of the state."""
        raise NotImplementedError


class MemoryAttention(AttentionMechanism):
    """Base class with a memory, its layers, and the conversion of scores to probabilities.

    Args:
      query_layer: layer applied to queries, or None.
      memory: tensor [batch, time, ...], usually an encoder's outputs.
      probability_fn: function from scores [batch, time] and the previous state to alignments.
      memory_sequence_length: int [batch], the valid lengths of memories.
      memory_layer: layer that computes keys from the memory.
      check_inner_dims_defined: whether sizes other than batch and time must be known.
      score_mask_value: score of masked entries; by default -inf.
      custom_key_value_fn: function from keys and values to replacements of both.

    Raises:
      TypeError: if a layer is not a `tf.layers.Layer`, or `probability_fn` is not callable.
      ValueError: if a size other than batch and time is unknown.
    """

    state_size: Any = read_only("Size of the alignments, which form the state.", "_alignments_size")
    memory_layer: Any = read_only("The layer that computes keys from the memory.")
    query_layer: Any = read_only("The layer applied to queries, or None.")
    values: Any = read_only(
        "The memory [batch, time, ...], with zeros after the ends of its sequences."
    )
    keys: Any = read_only("The keys with which queries are compared, [batch, time, units].")
    batch_size: Any = read_only("Batch size of the memory, an int or int32 scalar.")
    alignments_size: Any = read_only("Number of memory positions, an int or int32 scalar.")

    def __init__(
        self,
        query_layer: Any,
        memory: Any,
        probability_fn: Callable[..., Any],
        memory_sequence_length: Any = None,
        memory_layer: Any = None,
        check_inner_dims_defined: bool = True,
        score_mask_value: Any = None,
        custom_key_value_fn: Callable[..., Any] | None = None,
        name: str | None = None,
    ):
        for role, layer in (("query_layer", query_layer), ("memory_layer", memory_layer)):
            if layer is not None and not isinstance(layer, Layer):
                raise TypeError(f"{role} is not a Layer: {type(layer).__name__}")
        self._query_layer = query_layer
        self._memory_layer: Any = memory_layer
        self.dtype = self._memory_layer.dtype
        if not callable(probability_fn):
            raise TypeError(
                f"probability_fn must be callable, saw type: {type(probability_fn).__name__}"
            )
        if score_mask_value is None:
            score_mask_value = dtypes.as_dtype(self.dtype).as_numpy_dtype(-np.inf)
        self._probability_fn = lambda score, state: probability_fn(
            _masked_scores(score, memory_sequence_length, score_mask_value), state
        )
        with name_scope(name, "BaseAttentionMechanismInit", flatten(memory)):
            self._values = _prepare_memory(memory, memory_sequence_length, check_inner_dims_defined)
            self._keys = self._memory_layer(self._values) if self._memory_layer else self._values
            if custom_key_value_fn is not None:
                self._keys, self._values = custom_key_value_fn(self._keys, self._values)
            self._batch_size, self._alignments_size = (
                dimension_value(self._keys.shape[axis]) or ops.shape(self._keys)[axis]
                for axis in range(2)
            )

    def initial_alignments(self, batch_size: TensorLike, dtype: DTypeLike) -> Tensor:
        """Returns the alignments before the first step: zeros [batch_size, alignments_size].

        Args:
          batch_size: an int or int32 scalar.
          dtype: dtype of the alignments.
        """
        return _zero_state_tensors(self._alignments_size, batch_size, dtype)

    def initial_state(self, batch_size: TensorLike, dtype: DTypeLike) -> Any:
        """Returns the state before the first step: the initial alignments."""
        return self.initial_alignments(batch_size, dtype)


def _prepare_memory(memory: Any, sequence_length: Any, check_inner_dims_defined: bool) -> Any:
    """Converts the memory to tensors, zeroed beyond sequence ends."""
    memory = map_structure(lambda m: ops.convert_to_tensor(m, name="memory"), memory)
    if sequence_length is not None:
        sequence_length = ops.convert_to_tensor(sequence_length, name="memory_sequence_length")
    for tensor in flatten(memory) if check_inner_dims_defined else ():
        if not tensor.get_shape()[2:].is_fully_defined():
            raise ValueError(
                f"Expected memory {tensor.name} to have fully defined inner dims, "
                f"but saw shape: {tensor.get_shape()}"
            )
    if sequence_length is None:
        return memory
    first = flatten(memory)[0]
    mask = ops.sequence_mask(sequence_length, maxlen=ops.shape(first)[1], dtype=first.dtype)

    def apply_mask(tensor: Tensor) -> Tensor:
        rank: Any = tensor.get_shape().ndims
        if rank is None:
            rank = ops.rank(tensor)
        ones = ops.ones(rank - 2, dtype=dtypes.int32)
        return tensor * ops.reshape(mask, ops.concat((ops.shape(mask), ones), 0))

    return map_structure(apply_mask, memory)


def _masked_scores(scores: Tensor, sequence_length: Any, mask_value: Any) -> Tensor:
    """Returns scores [batch, time], with `mask_value` beyond sequence ends."""
    if sequence_length is None:
        return scores
    message = "All values in memory_sequence_length must be greater than zero."
    with control_dependencies([ops.assert_positive(sequence_length, message=message)]):
        mask = ops.sequence_mask(sequence_length, maxlen=ops.shape(scores)[1])
    return ops.where(mask, scores, mask_value * ops.ones_like(scores))


def hardmax(logits: TensorLike, name: str | None = None) -> Tensor:
    """Returns 1 at the maximum of each row, 0 elsewhere; usable as a probability function.

    Args:
      logits: float tensor [batch, n].

    Returns:
      A tensor of the shape and dtype of `logits`.

    Example: `hardmax([[1.0, 3.0, 2.0]])` is `[[0, 1, 0]]`.
    """
    with name_scope(name, "Hardmax", [logits]):
        logits = ops.convert_to_tensor(logits, name="logits")
        depth = dimension_value(logits.get_shape()[-1])
        if depth is None:
            depth = ops.shape(logits)[-1]
        return ops.one_hot(ops.argmax(logits, -1), depth, dtype=logits.dtype)
