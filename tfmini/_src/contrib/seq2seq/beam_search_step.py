"""One beam search step: scores the continuations of all beams and selects the best.

Scores are divided by a length penalty and raised by a coverage penalty, as in Y. Wu et al., "Google's neural
machine translation system" (2016), section 7.
"""

from __future__ import annotations

from collections import namedtuple
from dataclasses import dataclass
from typing import Any

from tfmini._src.base import dtypes
from tfmini._src.base.nest.structure import map_structure
from tfmini._src.contrib.seq2seq.attention_wrapper_state import AttentionWrapperState
from tfmini._src.contrib.seq2seq.beam_tensors import gather_beams, gather_state
from tfmini._src.graph.static_values import get_static_value
from tfmini._src.graph.tensor import Tensor
from tfmini._src.ops import ops


class BeamSearchDecoderState(
    namedtuple(
        "BeamSearchDecoderState",
        ("cell_state", "log_probs", "finished", "lengths", "accumulated_attention_probs"),
    )
):
    """The state of a BeamSearchDecoder.

    cell_state: the cell's state, tensors [batch, beams, ...].
    log_probs: float [batch, beams], log probabilities of the sequences so far.
    finished: bool [batch, beams].
    lengths: int64 [batch, beams].
    accumulated_attention_probs: float [batch, beams, positions], or () without a coverage penalty.
    """


class BeamSearchDecoderOutput(
    namedtuple("BeamSearchDecoderOutput", ("scores", "predicted_ids", "parent_ids"))
):
    """Output of a step: scores, ids and parent beams, each [batch, beams]."""


@dataclass(frozen=True)
class Search:
    """Constants of a beam search.

    batch_size: int32 scalar; width: number of beams; end_token: int32 scalar, the id that ends a sequence;
      length_penalty, coverage_penalty: weights of the penalties, 0 for none.
    """

    batch_size: Any
    width: int
    end_token: Any
    length_penalty: Any
    coverage_penalty: Any


def search_step(
    time: Any, logits: Tensor, cell_state: Any, beam_state: BeamSearchDecoderState, search: Search
) -> tuple[BeamSearchDecoderOutput, BeamSearchDecoderState]:
    """Returns the best continuations and their state.

    Args:
      time: int32 scalar, the step index.
      logits: float [batch, beams, symbols].
      cell_state: the cell's state after this step.
      beam_state: the decoder's state before this step.
      search: constants of the search.
    """
    batch_size, width = search.batch_size, search.width
    totals, scores, seen, symbols = _score_continuations(logits, cell_state, beam_state, search)
    ops.convert_to_tensor(time, name="time")
    flat_scores = ops.reshape(scores, [batch_size, -1])
    count = ops.convert_to_tensor(width, dtype=dtypes.int32, name="beam_width")
    best_scores, positions = ops.top_k(flat_scores, k=count)
    known_batch = get_static_value(batch_size)
    best_scores.set_shape([known_batch, width])
    positions.set_shape([known_batch, width])
    best_totals = gather_beams(
        positions, totals, batch_size, width * symbols, [-1], name="next_beam_probs"
    )
    ids = ops.cast(ops.mod(positions, symbols, name="next_beam_word_ids"), dtypes.int32)
    parents = ops.cast(positions / symbols, dtypes.int32, name="next_beam_parent_ids")

    had_ended = gather_beams(parents, beam_state.finished, batch_size, width, [-1])
    finished = ops.logical_or(
        had_ended, ops.equal(ids, search.end_token), name="next_beam_finished"
    )
    length_increment = ops.cast(ops.logical_not(had_ended), dtypes.int64)
    lengths = gather_beams(parents, beam_state.lengths, batch_size, width, [-1])
    lengths += length_increment
    if seen is not None:
        name = "next_accumulated_attention_probs"
        seen = gather_beams(parents, seen, batch_size, width, [batch_size * width, -1], name=name)
    state = BeamSearchDecoderState(
        cell_state=map_structure(
            lambda source: gather_state(parents, source, batch_size, width), cell_state
        ),
        log_probs=best_totals,
        lengths=lengths,
        finished=finished,
        accumulated_attention_probs=() if seen is None else seen,
    )
    output = BeamSearchDecoderOutput(scores=best_scores, predicted_ids=ids, parent_ids=parents)
    return output, state


def _score_continuations(
    logits: Tensor, cell_state: Any, beam_state: BeamSearchDecoderState, search: Search
) -> tuple[Tensor, Tensor, Any, Any]:
    """Returns the log probability and score of each beam with each symbol, [batch, beams, symbols].

    Also, with a coverage penalty, the accumulated attention of each beam, [batch, beams, positions]; and the number of
    symbols.
    """
    not_finished = ops.logical_not(beam_state.finished)
    log_probs = mask_finished(ops.log_softmax(logits), search.end_token, beam_state.finished)
    totals = ops.expand_dims(beam_state.log_probs, 2) + log_probs
    symbols = logits.shape.as_list()[-1] or ops.shape(logits)[-1]
    length_increments = ops.one_hot(
        indices=ops.fill([search.batch_size, search.width], search.end_token),
        depth=symbols,
        on_value=ops.to_int64(0),
        off_value=ops.to_int64(1),
        dtype=dtypes.int64,
    )
    add_mask = ops.cast(not_finished, dtypes.int64)
    length_increments *= ops.expand_dims(add_mask, 2)
    lengths = length_increments + ops.expand_dims(beam_state.lengths, 2)
    coverage = attention_probs(cell_state, search.coverage_penalty)
    if coverage is not None:
        coverage *= ops.expand_dims(ops.cast(not_finished, dtypes.float32), 2)
        coverage = beam_state.accumulated_attention_probs + coverage
    scores = beam_scores(
        totals,
        lengths,
        search.length_penalty,
        search.coverage_penalty,
        beam_state.finished,
        coverage,
    )
    return totals, scores, coverage, symbols


def mask_finished(probs: Tensor, eos_token: Any, finished: Tensor) -> Tensor:
    """Returns the log probabilities that allow finished beams to continue only with `eos_token`."""
    symbols = ops.shape(probs)[2]
    dtype = probs.dtype
    row = ops.one_hot(
        eos_token,
        symbols,
        dtype=dtype,
        on_value=ops.convert_to_tensor(0.0, dtype=dtype),
        off_value=dtype.min,
    )
    rows = ops.tile(ops.reshape(row, [1, 1, -1]), ops.concat([ops.shape(finished), [1]], 0))
    mask = ops.tile(ops.expand_dims(finished, 2), [1, 1, symbols])
    return ops.where(mask, rows, probs)


def attention_probs(cell_state: Any, coverage_penalty_weight: Any) -> Any:
    """Returns the alignments of a cell, [batch, beams, positions], averaged over attentions; None without a penalty."""
    if coverage_penalty_weight == 0.0:
        return None
    if isinstance(cell_state, AttentionWrapperState):
        states = [cell_state]
    else:
        parts = cell_state if isinstance(cell_state, tuple) else ()
        states = [part for part in parts if isinstance(part, AttentionWrapperState)]
    if not states:
        raise ValueError("coverage_penalty_weight must be 0.0 if no cell is attentional.")
    alignments = []
    for state in states:
        is_tuple = isinstance(state.alignments, tuple)
        alignments.append(_average(state.alignments) if is_tuple else state.alignments)
    return alignments[0] if len(alignments) == 1 else _average(alignments)


def _average(tensors: Any) -> Tensor:
    return ops.reduce_mean(ops.concat([ops.expand_dims(t, -1) for t in tensors], -1), -1)


def beam_scores(
    log_probs: Tensor,
    sequence_lengths: Tensor,
    length_penalty_weight: Any,
    coverage_penalty_weight: Any,
    finished: Tensor,
    accumulated_attention_probs: Any,
) -> Tensor:
    """Returns scores for comparing beams: log probabilities with length and coverage penalties."""
    penalty = ops.cast(
        length_penalty(sequence_lengths, length_penalty_weight), dtype=log_probs.dtype
    )
    scores = log_probs / penalty
    weight = ops.convert_to_tensor(coverage_penalty_weight, name="coverage_penalty_weight")
    if weight.shape.ndims != 0:
        raise ValueError(
            f"coverage_penalty_weight should be a scalar, but saw shape: {weight.shape}"
        )
    if get_static_value(weight) == 0.0:
        return scores
    seen = accumulated_attention_probs
    if seen is None:
        raise ValueError(
            "accumulated_attention_probs can be None only if coverage penalty is disabled."
        )
    seen = ops.where(ops.equal(seen, 0.0), ops.ones_like(seen), seen)
    coverage = ops.reduce_sum(ops.log(ops.minimum(seen, 1.0)), 2)
    coverage *= ops.cast(finished, dtypes.float32)
    return scores + ops.expand_dims(coverage * weight, 2)


def length_penalty(sequence_lengths: Tensor, penalty_factor: Any) -> Any:
    """Returns ((5 + length) / 6) ** factor; 1 for a factor of 0."""
    weight = ops.convert_to_tensor(penalty_factor, name="penalty_factor")
    weight.set_shape(())
    static = get_static_value(weight)
    if static is not None and static == 0:
        return 1.0
    return ops.div(
        (5.0 + ops.cast(sequence_lengths, dtypes.float32)) ** weight, (5.0 + 1.0) ** weight
    )
