"""Luong's and Bahdanau's attention, which compares a query with a memory's keys.

M.-T. Luong, H. Pham, C. Manning, "Effective approaches to attention-based neural machine translation" (2015);
D. Bahdanau, K. Cho, Y. Bengio, "Neural machine translation by jointly learning to align and translate" (2014).
"""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import Any

from tfmini._src.base import dtypes
from tfmini._src.base.dtypes import DTypeLike
from tfmini._src.base.names.signature import arguments_of
from tfmini._src.contrib.seq2seq.attention_mechanism import MemoryAttention
from tfmini._src.graph.tensor import Tensor, TensorLike
from tfmini._src.nn.layers.dense import Dense
from tfmini._src.ops import ops
from tfmini._src.variables.get_variable import get_variable
from tfmini._src.variables.initializers import Constant, Ones, Zeros
from tfmini._src.variables.variable_scope import variable_scope


def projection(units: int, name: str, dtype: Any) -> Dense:
    """Returns a dense layer without bias for keys or queries."""
    return Dense(units, name=name, use_bias=False, dtype=dtype)


def luong_scores(query: Tensor, keys: Tensor, scale: bool) -> Tensor:
    """Returns the dot products of a query with each key, [batch, time], optionally scaled by variable "attention_g".

    Raises:
      ValueError: if query and keys have different sizes.
    """
    factor = None
    if scale:
        factor = get_variable("attention_g", dtype=query.dtype, initializer=Ones, shape=())
    depth, units = query.get_shape()[-1], keys.get_shape()[-1]
    if depth != units:
        raise ValueError(
            "Incompatible or unknown inner dimensions between query and keys.  "
            f"Query ({query}) has units: {depth}.  Keys ({keys}) have units: {units}.  "
            f"Perhaps you need to set num_units to the keys' dimension ({units})?"
        )
    scores = ops.matmul(ops.expand_dims(query, 1), keys, transpose_b=True)
    scores = ops.squeeze(scores, [1])
    return scores if factor is None else factor * scores


def bahdanau_scores(query: Tensor, keys: Tensor, units: int, normalize: bool, dtype: Any) -> Tensor:
    """Returns v . tanh(key + query) for each key, [batch, time], with the variable "attention_v" for v.

    With `normalize`, v has norm "attention_g", and "attention_b" is added inside the tanh
    (T. Salimans, D. Kingma, "Weight normalization", 2016).
    """
    v: Any = get_variable("attention_v", [units], dtype=dtype)
    if not normalize:
        return ops.reduce_sum(v * ops.tanh(keys + ops.expand_dims(query, 1)), [2])
    start = Constant(math.sqrt(1.0 / units))
    g = get_variable("attention_g", dtype=dtype, initializer=start, shape=())
    b = get_variable("attention_b", [units], dtype=dtype, initializer=Zeros())
    query = ops.expand_dims(query, 1)
    v = g * v * ops.rsqrt(ops.reduce_sum(ops.square(v)))
    return ops.reduce_sum(v * ops.tanh(keys + query + b), [2])


def as_probability_fn(probability_fn: Callable | None) -> Callable:
    """Returns the probability function of scores and (ignored) state; by default the softmax."""
    function = probability_fn or ops.softmax
    return lambda scores, _: function(scores)


class ScoredAttention(MemoryAttention):
    """Base class of mechanisms defined by a score function."""

    _scope: str

    def _scores(self, query: Tensor) -> Tensor:
        raise NotImplementedError

    def __call__(self, query: Tensor, state: Any) -> tuple[Tensor, Any]:
        """Attends to the memory.

        Args:
          query: float [batch, num_units] for Luong's scores, [batch, depth] for Bahdanau's.
          state: the previous alignments, [batch, time].

        Returns:
          (alignments [batch, time], the same as the next state).
        """
        with variable_scope(None, self._scope, [query]):
            scores = self._scores(query)
        alignments = self._probability_fn(scores, state)
        return alignments, alignments


class MultiplicativeAttention(ScoredAttention):
    """Base class of mechanisms with Luong's scores: products of keys with the query."""

    def __init__(self, num_units: int, scale: bool, dtype: Any, name: str, **settings: Any):
        memory_layer = projection(num_units, "memory_layer", dtype or dtypes.float32)
        super().__init__(query_layer=None, memory_layer=memory_layer, name=name, **settings)
        self._num_units, self._scale, self._name = num_units, scale, name

    def _scores(self, query: Tensor) -> Tensor:
        return luong_scores(query, self._keys, self._scale)


class AdditiveAttention(ScoredAttention):
    """Base class of mechanisms with Bahdanau's scores: a small network of key and query."""

    def __init__(self, num_units: int, normalize: bool, dtype: Any, name: str, **settings: Any):
        dtype = dtype or dtypes.float32
        super().__init__(
            query_layer=projection(num_units, "query_layer", dtype),
            memory_layer=projection(num_units, "memory_layer", dtype),
            name=name,
            **settings,
        )
        self._num_units, self._normalize, self._name = num_units, normalize, name

    def _scores(self, query: Tensor) -> Tensor:
        processed = self._query_layer(query) if self._query_layer else query
        return bahdanau_scores(processed, self._keys, self._num_units, self._normalize, query.dtype)


class LuongAttention(MultiplicativeAttention):
    """Multiplicative attention, which scores keys by their products with the query.

    Args:
      num_units: size of keys and query.
      memory: tensor [batch, time, ...], usually an encoder's outputs.
      memory_sequence_length: int [batch], the valid lengths of memories.
      scale: whether to scale scores by a variable.
      probability_fn: function from scores to alignments, both [batch, time]; by default `tf.nn.softmax`.
      score_mask_value: score of masked entries; by default -inf.
      dtype: dtype of the layers; by default float32.
      custom_key_value_fn: function from keys and values to replacements of both.

    Example:
      attention = tf.contrib.seq2seq.LuongAttention(64, encoder_outputs, lengths)
      cell = tf.contrib.seq2seq.AttentionWrapper(cell, attention, attention_layer_size=64)
    """

    _scope = "luong_attention"

    def __init__(
        self,
        num_units: int,
        memory: TensorLike,
        memory_sequence_length: TensorLike | None = None,
        scale: bool = False,
        probability_fn: Callable[..., Any] | None = None,
        score_mask_value: TensorLike | None = None,
        dtype: DTypeLike | None = None,
        custom_key_value_fn: Callable[..., Any] | None = None,
        name: str = "LuongAttention",
    ):
        super().__init__(
            *(num_units, scale, dtype, name),
            memory=memory,
            probability_fn=as_probability_fn(probability_fn),
            memory_sequence_length=memory_sequence_length,
            score_mask_value=score_mask_value,
            custom_key_value_fn=custom_key_value_fn,
        )


class BahdanauAttention(AdditiveAttention):
    """Additive attention, which scores keys by a small network: v . tanh(key + query).

    Args:
      num_units: size of keys and projected queries.
      normalize: whether to normalize v, whose norm is then a variable.
      Other arguments are as in `LuongAttention`.
    """

    _scope = "bahdanau_attention"

    @arguments_of(LuongAttention, "scale", name="BahdanauAttention")
    def __init__(
        self,
        num_units: int,
        memory_sequence_length: TensorLike | None,
        normalize: bool = False,
        probability_fn: Callable[..., Any] | None = None,
        **settings: Any,
    ):
        settings |= {
            "probability_fn": as_probability_fn(probability_fn),
            "memory_sequence_length": memory_sequence_length,
        }
        super().__init__(num_units, normalize, **settings)
