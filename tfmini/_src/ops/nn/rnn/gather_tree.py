"""GatherTree: traces beam search sequences backwards from the last step."""

from __future__ import annotations

from typing import Any

import numpy as np

from tfmini._src.base.dtypes import int32
from tfmini._src.base.errors import invalid
from tfmini._src.devices.host.native.sequences.gather_tree import gather_tree
from tfmini._src.graph.opdef import op
from tfmini._src.graph.shape_inference import merge, merge_dim, with_rank
from tfmini._src.ops.operands import shape_text


def _check_operands(step_ids: Any, parent_ids: Any, lengths: Any, end_token: Any) -> None:
    steps = shape_text(step_ids.shape)
    if step_ids.ndim != 3:
        invalid(f"step_ids must be a 3-tensor, saw shape: {steps}")
    if lengths.ndim != 1:
        invalid(f"max_sequence_lengths must be a vector, saw shape: {shape_text(lengths.shape)}")
    if np.ndim(end_token):
        invalid(f"end_token must be a scalar, saw shape: {shape_text(end_token.shape)}")
    if step_ids.shape != parent_ids.shape:
        invalid(
            "step_ids.shape must match parent_ids.shape.  but shapes are: "
            f"{steps} and {shape_text(parent_ids.shape)}"
        )
    if step_ids.shape[1] != len(lengths):
        invalid(
            "batch size dimensions step_ids.shape[1] and max_sequence_lengths.shape[0] must match.  "
            f"but shapes are: {steps} and {shape_text(lengths.shape)}"
        )


def _trace(xp: Any, step_ids: Any, parent_ids: Any, lengths: Any, end_token: Any) -> tuple:
    """Returns the sequences, and the (time, example, beam) positions whose parents do not exist."""
    time, batch, width = step_ids.shape
    sequences = xp.empty_like(step_ids)
    is_lost = xp.zeros(step_ids.shape, bool)
    # Only a host can ask, without waiting for a device, whether all parents exist.
    may_be_invalid = xp is not np or bool(((parent_ids < 0) | (parent_ids >= width)).any())
    end_steps = lengths[:, None]
    starts = xp.arange(batch)[:, None] * width
    parents = xp.zeros((batch, width), step_ids.dtype) + xp.arange(width, dtype=step_ids.dtype)
    for t in reversed(range(time)):
        valid = t < end_steps
        clipped = parents
        if may_be_invalid:
            is_lost[t] = valid & ((parents < 0) | (parents >= width))
            if t + 1 < time:
                is_lost[t] |= valid & is_lost[t + 1]
            clipped = xp.clip(parents, 0, max(0, width - 1))
        indices = starts + clipped
        sequences[t] = xp.where(valid, step_ids[t].take(indices), end_token)
        parents = xp.where(valid, parent_ids[t].take(indices), parents)
    is_after_end = xp.cumsum(sequences == end_token, axis=0) > 0
    return xp.where(is_after_end, end_token, sequences), is_lost


@op(
    "GatherTree",
    "step_ids: T, parent_ids: T, max_sequence_lengths: int32, end_token: T -> beams: T",
    host_or_cuda=True,
    T=(int32,),
)
def gather_tree_op(xp, step_ids, parent_ids, lengths, end_token):
    _check_operands(step_ids, parent_ids, lengths, end_token)
    if (fast := gather_tree(step_ids, parent_ids, lengths, int(end_token))) is not None:
        return fast
    sequences, is_lost = _trace(xp, step_ids, parent_ids, lengths, end_token)
    if is_lost.any():
        first = is_lost.transpose(1, 2, 0)[:, :, ::-1]  # TensorFlow's traversal order
        example, beam, back = np.unravel_index(first.argmax(), first.shape)
        level = len(is_lost) - 1 - back
        parent = int(_parent(parent_ids, lengths, example, beam, level))
        invalid(
            f"Saw invalid parent id {parent} at (batch, time, beam) == ({example}, {level}, {beam})"
        )
    return sequences


def _parent(parent_ids: Any, lengths: Any, example: int, beam: int, level: int) -> int:
    """Returns the parent beam at `level` of the sequence that ends in `beam`."""
    for t in range(min(len(parent_ids), lengths[example]) - 1, level, -1):
        beam = parent_ids[t, example, beam]
    return beam


@gather_tree_op.on_gpu
def _(gpu, step_ids, parent_ids, lengths, end_token):
    """GPU kernel, which returns -1 for a beam without a parent, as in TensorFlow, instead of a host check."""
    _check_operands(step_ids, parent_ids, lengths, end_token)
    sequences, is_lost = _trace(gpu.xp, step_ids, parent_ids, lengths, end_token)
    return gpu.xp.where(is_lost, gpu.xp.asarray(-1, sequences.dtype), sequences)


@gather_tree_op.infer
def _(op):
    merged = merge(with_rank(op.inputs[0]._dims, 3), with_rank(op.inputs[1]._dims, 3))
    time, batch, width = with_rank(merged, 3)
    (lengths,) = with_rank(op.inputs[2]._dims, 1)
    with_rank(op.inputs[3]._dims, 0)
    return (time, merge_dim(batch, lengths), width)
