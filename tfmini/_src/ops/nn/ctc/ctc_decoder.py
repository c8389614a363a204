"""CTC decoders: greedy (best path) and prefix beam search."""

from __future__ import annotations

from typing import Any

import numpy as np

from tfmini._src.base.dtypes import float32
from tfmini._src.base.errors import FailedPreconditionError, invalid
from tfmini._src.devices.host.native.sequences.ctc_greedy_decoder import best_labels
from tfmini._src.graph.composite_values import SparseTensor
from tfmini._src.graph.opdef import Attr, op, public, raw
from tfmini._src.graph.shape_inference import merge_dim, with_rank
from tfmini._src.graph.tensor import Tensor, TensorLike
from tfmini._src.ops.nn.ctc.ctc_beam_search import best_prefixes
from tfmini._src.ops.type_lists import SINGLE_DOUBLE

_FLOAT = Attr("type", float32, allowed=SINGLE_DOUBLE)


def _check_operands(inputs: Any, lengths: Any) -> None:
    if inputs.ndim != 3:
        invalid("inputs is not a 3-Tensor")
    time, batch, classes = inputs.shape
    if not time:
        invalid("max_time is 0")
    if lengths.ndim != 1:
        invalid("sequence_length is not a vector")
    if batch != len(lengths):
        raise FailedPreconditionError(
            None,
            None,
            "len(sequence_length) != batch_size.  "
            f"len(sequence_length):  {len(lengths)} batch_size: {batch}",
        )
    for b in np.flatnonzero(lengths > time)[:1].tolist():
        raise FailedPreconditionError(None, None, f"sequence_length({b}) <= {time}")
    if not classes:
        invalid("inputs have no classes")


def _merge_batch(op: Any) -> Any:
    """Returns the static batch size from the logits or the lengths."""
    batch = with_rank(op.inputs[0]._dims, 3)[1]
    (lengths,) = with_rank(op.inputs[1]._dims, 1)
    return merge_dim(batch, lengths)


def _sparse(mask: Any, classes: Any) -> tuple:
    """Returns indices, values and shape of `classes` [batch, time] where `mask` is True, left-aligned."""
    counts = mask.sum(axis=1)
    rows, _ = np.nonzero(mask)
    starts = np.cumsum(counts) - counts
    positions = np.stack([rows, np.arange(len(rows)) - starts[rows]], axis=1)
    shape = np.array([len(mask), counts.max(initial=0)])
    return positions, classes[mask].astype("i8"), shape


@op(
    "CTCGreedyDecoder",
    "inputs: T, sequence_length: int32 -> decoded_indices: int64, decoded_values: int64, "
    "decoded_shape: int64, log_probability: T",
    differentiable=False,
    merge_repeated=False,
    T=_FLOAT,
)
def ctc_greedy_decoder_op(xp, inputs, lengths, *, merge_repeated):
    return best_classes(inputs, lengths, merge_repeated, -1)


def best_classes(inputs: Any, lengths: Any, merge_repeated: bool, blank_index: int) -> tuple:
    """Returns the best class at each step, without blanks; a negative `blank_index` counts from the end."""
    _check_operands(inputs, lengths)
    classes = inputs.shape[2]
    blank = blank_index + classes if blank_index < 0 else blank_index
    if not 0 <= blank < classes:
        invalid(
            f"blank_index expected to be between {-classes} and {classes - 1} but was {blank_index}"
        )
    if (fast := best_labels(inputs, lengths, blank, merge_repeated)) is not None:
        return fast
    scores = np.maximum.reduce(inputs, 2)
    best = inputs.argmax(axis=2)
    if np.isnan(scores).any():
        finite = np.where(np.isnan(inputs), -np.inf, inputs)  # NaN never exceeds the first
        best = finite.argmax(axis=2)
        best[np.isnan(inputs[:, :, 0])] = 0
        scores = np.take_along_axis(inputs, best[:, :, None], axis=2)[:, :, 0]
    valid = np.arange(len(inputs))[:, None] < lengths
    total = np.where(valid, -scores, 0).sum(axis=0, dtype=inputs.dtype)
    mask = valid & (best != blank)
    if merge_repeated:
        mask[1:] &= best[1:] != best[:-1]
    return (*_sparse(mask.T, best.T), total[:, None])


@ctc_greedy_decoder_op.infer
def _(op):
    batch = _merge_batch(op)
    return [(None, 2), (None,), (2,), (batch, 1)]


@public
def ctc_greedy_decoder(
    inputs: TensorLike, sequence_length: TensorLike, merge_repeated: bool = True
) -> tuple[list[SparseTensor], Tensor]:
    """Decodes logits greedily: selects the largest logit at each time step and drops blanks.

    Args:
      inputs: float32 or float64 logits [time, batch, classes]; the last class is the blank.
      sequence_length: int32 [batch], the number of time steps of each example.
      merge_repeated: whether to merge consecutive repeats of a class into one label.

    Returns:
      A list of one int64 SparseTensor [batch, longest label sequence], and a tensor [batch, 1]: the
      negated sum of the logits along the path.

    Raises:
      FailedPreconditionError (when run): if the number of lengths is not the batch size, or a length exceeds the steps.
    """
    positions, values, shape, scores = raw.CTCGreedyDecoder(
        inputs, sequence_length, merge_repeated=merge_repeated
    )
    return [SparseTensor(positions, values, shape)], scores


@op(
    "CTCBeamSearchDecoder",
    "inputs: T, sequence_length: int32 -> decoded_indices: top_paths*int64, "
    "decoded_values: top_paths*int64, decoded_shape: top_paths*int64, log_probability: T",
    differentiable=False,
    beam_width=Attr("int", minimum=1),
    top_paths=Attr("int", minimum=1),
    merge_repeated=True,
    T=_FLOAT,
)
def ctc_beam_search_decoder_op(xp, inputs, lengths, *, beam_width, top_paths, merge_repeated):
    _check_operands(inputs, lengths)
    if top_paths > beam_width and inputs.shape[1]:
        invalid("requested more paths than the beam width.")
    labels, counts, scores = best_prefixes(inputs, lengths, beam_width, top_paths)
    mask = np.arange(labels.shape[2]) < counts[:, :, None]
    if merge_repeated:
        mask[:, :, 1:] &= labels[:, :, 1:] != labels[:, :, :-1]
    paths = [_sparse(mask[:, i], labels[:, i]) for i in range(top_paths)]
    positions, values, shapes = zip(*paths)
    return (*positions, *values, *shapes, scores)


@ctc_beam_search_decoder_op.infer
def _(op):
    batch, paths = _merge_batch(op), op.attrs["top_paths"]
    return [*[(None, 2)] * paths, *[(None,)] * paths, *[(2,)] * paths, (batch, paths)]


@public
def ctc_beam_search_decoder(
    inputs: TensorLike,
    sequence_length: TensorLike,
    beam_width: int = 100,
    top_paths: int = 1,
    merge_repeated: bool = True,
) -> tuple[list[SparseTensor], Tensor]:
    """Decodes logits by beam search: finds the most probable label sequences, summing over paths within the beam.

    Args:
      inputs: float32 or float64 logits [time, batch, classes]; the last class is the blank.
      sequence_length: int32 [batch], the number of time steps of each example.
      beam_width: the maximum number of prefixes in the beam.
      top_paths: the number of sequences to return, at most `beam_width`.
      merge_repeated: whether to merge repeated labels *after* the search, which changes the scored
        sequences; `ctc_beam_search_decoder_v2` does not.

    Returns:
      A list of `top_paths` int64 SparseTensors [batch, longest label sequence], the most probable first, and
      a tensor [batch, top_paths] of log probabilities.

    Raises:
      ValueError: if beam_width or top_paths is less than 1.
      InvalidArgumentError (when run): if `top_paths` exceeds the beam width.
      FailedPreconditionError (when run): if the number of lengths is not the batch size, or a length exceeds the steps.
    """
    positions, values, shapes, scores = raw.CTCBeamSearchDecoder(
        inputs,
        sequence_length,
        beam_width=beam_width,
        top_paths=top_paths,
        merge_repeated=merge_repeated,
    )
    return [SparseTensor(*parts) for parts in zip(positions, values, shapes)], scores


def ctc_beam_search_decoder_v2(
    inputs: TensorLike, sequence_length: TensorLike, beam_width: int = 100, top_paths: int = 1
) -> tuple[list[SparseTensor], Tensor]:
    """`ctc_beam_search_decoder` without merging of repeated labels after the search."""
    return ctc_beam_search_decoder(
        inputs,
        sequence_length=sequence_length,
        beam_width=beam_width,
        top_paths=top_paths,
        merge_repeated=False,
    )
