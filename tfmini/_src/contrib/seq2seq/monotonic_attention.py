"""Monotonic attention, which never moves backward in the memory.

C. Raffel et al., "Online and linear-time attention by enforcing monotonic alignments" (2017).
"""

from __future__ import annotations

import functools
from typing import Any

import numpy as np

from tfmini._src.base import dtypes
from tfmini._src.base.dtypes import DTypeLike
from tfmini._src.base.names.signature import arguments_of
from tfmini._src.base.shapes import dimension_value
from tfmini._src.contrib.seq2seq.scored_attention import (
    AdditiveAttention,
    BahdanauAttention,
    MultiplicativeAttention,
    ScoredAttention,
)
from tfmini._src.functions.functional_ops import scan
from tfmini._src.graph.scopes import name_scope
from tfmini._src.graph.tensor import Tensor, TensorLike
from tfmini._src.ops import ops
from tfmini._src.variables.get_variable import get_variable


def safe_cumprod(x: TensorLike, *args: Any, **kwargs: Any) -> Tensor:
    """Returns the cumulative products, as exp(cumsum(log x)), which avoids underflow.

    Args:
      x: float tensor, values from 0 to 1.
      *args, **kwargs: as in `tf.cumsum`.

    Returns:
      A tensor of the shape and dtype of x.
    """
    with name_scope(None, "SafeCumprod", [x]):
        x = ops.convert_to_tensor(x, name="x")
        tiny = np.finfo(x.dtype.as_numpy_dtype).tiny
        return ops.exp(ops.cumsum(ops.log(ops.clip_by_value(x, tiny, 1)), *args, **kwargs))


def monotonic_attention(
    p_choose_i: TensorLike, previous_attention: TensorLike, mode: str
) -> Tensor:
    """Returns the probability of stopping at each position when continuing from the last step's position.

    p[i] is the probability of stopping at position i when it is reached, a[i] the probability of the last step
    being at i. The probability of reaching i is q[i] = (1 - p[i - 1]) q[i - 1] + a[i]; the result is p[i] q[i].

    Args:
      p_choose_i: float [batch, positions], p.
      previous_attention: float [batch, positions], a; initially 1 for position 0.
      mode: "recursive": exact, by a loop over positions; "parallel": by cumulative sums and products, inaccurate for
        p near 0 or 1; "hard": for p of exactly 0 or 1.

    Returns:
      Float [batch, positions].

    Raises:
      ValueError: for an unknown mode.
    """
    p_choose_i = ops.convert_to_tensor(p_choose_i, name="p_choose_i")
    previous_attention = ops.convert_to_tensor(previous_attention, name="previous_attention")
    if mode == "recursive":
        return _stop_sequentially(p_choose_i, previous_attention)
    if mode == "parallel":
        passed = safe_cumprod(1 - p_choose_i, axis=1, exclusive=True)
        return (
            p_choose_i
            * passed
            * ops.cumsum(previous_attention / ops.clip_by_value(passed, 1e-10, 1.0), axis=1)
        )
    if mode == "hard":
        p_choose_i *= ops.cumsum(previous_attention, axis=1)
        return p_choose_i * ops.cumprod(1 - p_choose_i, axis=1, exclusive=True)
    raise ValueError("mode must be 'recursive', 'parallel', or 'hard'.")


def _stop_sequentially(p: Tensor, previous: Tensor) -> Tensor:
    batch_size = dimension_value(p.shape[0]) or ops.shape(p)[0]
    passed = ops.concat([ops.ones((batch_size, 1)), 1 - p[:, :-1]], 1)
    reached = scan(
        lambda q, state: ops.reshape(state[0] * q + state[1], (batch_size,)),
        [ops.transpose(passed), ops.transpose(previous)],
        ops.zeros((batch_size,)),
    )
    return p * ops.transpose(reached)


def _alignments(
    scores: Tensor, previous: Any, sigmoid_noise: float, mode: str, seed: int | None
) -> Tensor:
    """Calls `monotonic_attention`, where p is the sigmoid of scores or, in "hard" mode, whether they are positive."""
    if sigmoid_noise > 0:
        noise = ops.random_normal(ops.shape(scores), dtype=scores.dtype, seed=seed)
        scores += sigmoid_noise * noise
    if mode == "hard":
        probabilities = ops.cast(scores > 0, scores.dtype)
    else:
        probabilities = ops.sigmoid(scores)
    return monotonic_attention(probabilities, previous, mode)


class _MonotonicAttention(ScoredAttention):
    """Base class of mechanisms that start at the memory's first position."""

    def __init__(
        self,
        *,
        sigmoid_noise: float,
        sigmoid_noise_seed: int | None,
        score_bias_init: float,
        mode: str,
        **settings: Any,
    ):
        probability_fn: Any = functools.partial(
            _alignments, sigmoid_noise=sigmoid_noise, mode=mode, seed=sigmoid_noise_seed
        )
        super().__init__(probability_fn=probability_fn, **settings)
        self._score_bias_init = score_bias_init

    def _scores(self, query: Tensor) -> Tensor:
        scores = super()._scores(query)
        bias: Any = get_variable(
            "attention_score_bias", dtype=scores.dtype, initializer=self._score_bias_init
        )
        return scores + bias

    def initial_alignments(self, batch_size: TensorLike, dtype: DTypeLike) -> Tensor:
        """Returns 1 for the first position, 0 for the others, [batch_size, alignments_size].

        Args:
          batch_size: an int or int32 scalar.
          dtype: dtype of the alignments.
        """
        first = ops.zeros((batch_size,), dtype=dtypes.int32)
        return ops.one_hot(first, self._alignments_size, dtype=dtype)


class BahdanauMonotonicAttention(_MonotonicAttention, AdditiveAttention):
    """Monotonic attention with Bahdanau's scores.

    Args:
      num_units, memory, memory_sequence_length, normalize, score_mask_value, dtype, name: as for BahdanauAttention.
      sigmoid_noise: scale of normal noise added to scores, which pushes them away from 0 in training.
      sigmoid_noise_seed: seed of the noise.
      score_bias_init: initial value of a bias variable added to scores.
      mode: as in `monotonic_attention`.
    """

    _scope = "bahdanau_monotonic_attention"

    @arguments_of(
        BahdanauAttention,
        *("probability_fn", "custom_key_value_fn"),
        name="BahdanauMonotonicAttention",
    )
    def __init__(
        self,
        score_mask_value: TensorLike | None,
        sigmoid_noise: float = 0.0,
        sigmoid_noise_seed: int | None = None,
        score_bias_init: float = 0.0,
        mode: str = "parallel",
        **settings: Any,
    ):
        super().__init__(
            score_mask_value=score_mask_value,
            sigmoid_noise=sigmoid_noise,
            sigmoid_noise_seed=sigmoid_noise_seed,
            score_bias_init=score_bias_init,
            mode=mode,
            **settings,
        )


class LuongMonotonicAttention(_MonotonicAttention, MultiplicativeAttention):
    """Monotonic attention with Luong's scores.

    Args:
      num_units, memory, memory_sequence_length, scale, score_mask_value, dtype, name: as for LuongAttention.
      sigmoid_noise, sigmoid_noise_seed, score_bias_init, mode: as for BahdanauMonotonicAttention.
    """

    _scope = "luong_monotonic_attention"

    @arguments_of(BahdanauMonotonicAttention, "normalize", name="LuongMonotonicAttention")
    def __init__(
        self, memory_sequence_length: TensorLike | None, scale: bool = False, **settings: Any
    ):
        super().__init__(memory_sequence_length=memory_sequence_length, scale=scale, **settings)
