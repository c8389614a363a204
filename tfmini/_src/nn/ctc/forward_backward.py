"""The forward-backward algorithm in log space, as a loop that overwrites rows."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from tfmini._src.base import dtypes
from tfmini._src.base.nest.structure import flatten, pack_sequence_as
from tfmini._src.functions.defun import Defun
from tfmini._src.functions.while_node import while_node
from tfmini._src.graph.eager.execution_mode import executing_eagerly
from tfmini._src.graph.tensor import Tensor
from tfmini._src.ops import ops, raw
from tfmini._src.ops.nn.ctc.ctc_labels import axis_size


def forward_backward(
    transitions: Tensor, initial: Tensor, final: Tensor, emitted: Tensor, lengths: Tensor
) -> tuple[Tensor, Tensor]:
    """Returns log probabilities of the states at each time, [time, batch, states], and of the sequences, [batch]."""
    backward_transitions = ops.transpose(transitions, [0, 2, 1])
    batch_size = axis_size(emitted, 1)

    def forward(states: Tensor, emission_scores: Tensor) -> Tensor:
        states = ops.expand_dims(states, axis=1)
        states += transitions
        states = ops.reduce_logsumexp(states, axis=-1)
        states += emission_scores
        total = ops.reduce_logsumexp(states, axis=-1, keepdims=True)
        states -= total
        return states

    forward_results = _scan(forward, emitted, initial)

    def backward(previous_state: Any, element: Any) -> tuple[Tensor, Tensor]:
        states, totals = previous_state
        emission_scores, mask = element
        states += emission_scores
        states = ops.expand_dims(states, axis=1)
        states += backward_transitions
        states = ops.reduce_logsumexp(states, axis=-1)
        total = ops.reduce_logsumexp(states, axis=-1, keepdims=True)
        states -= total
        totals += ops.squeeze(total) * mask
        row_mask = ops.expand_dims(mask, axis=1)
        result = states * row_mask
        result += final * (1.0 - row_mask)
        return result, totals

    initial_terms = ops.zeros([batch_size])
    max_length = axis_size(emitted, 0)
    mask = ops.sequence_mask(lengths, max_length, dtypes.float32)
    mask = ops.transpose(mask, perm=[1, 0])
    backwards, totals = _scan(backward, (emitted, mask), (final, initial_terms), reverse=True)
    states = forward_results[1:] + backwards[1:]
    sums = ops.reduce_logsumexp(states, axis=2, keepdims=True)
    states -= sums
    states += ops.log(ops.expand_dims(mask, axis=2))
    likelihood = backwards[0, :, 0] + totals[0]
    return states, likelihood


def _scan(fn: Callable, elems: Any, initial: Any, reverse: bool = False) -> Any:
    """Accumulates `fn(previous value, element)` over the elements, starting from `initial`.

    Args:
      fn: returns the next value, in the structure of `initial`.
      elems: tensors [n, ...] in a structure.
      initial: the first value, tensors in a structure.
      reverse: whether to start with the last element.

    Returns:
      Tensors [n + 1, ...] in the structure of `initial`.
    """
    flat_elems = [ops.convert_to_tensor(x) for x in flatten(elems)]
    num_elems = ops.shape(flat_elems[0])[0]
    flat_initial = [ops.convert_to_tensor(x) for x in flatten(initial)]
    count = len(flat_initial)
    types = [x.dtype for x in flat_initial]

    def cond(i: Any, num_elems: Any, *args: Any) -> Any:
        return i >= 0 if reverse else i < num_elems

    def body(i: Any, num_elems: Any, *args: Any) -> Any:
        """Loop body."""  # a graph node
        i.set_shape([])
        accumulated, before = args[:count], args[count:]
        slices = [ops.gather(e, i) for e in flat_elems]
        value = fn(
            pack_sequence_as(structure=initial, flat_sequence=before),
            pack_sequence_as(structure=elems, flat_sequence=slices),
        )
        flat_value = flatten(value)
        position = i if reverse else i + 1
        rows = [
            _replace_row(raw.InplaceUpdate, x, position, y) for x, y in zip(accumulated, flat_value)
        ]
        i = i - 1 if reverse else i + 1
        return [i, num_elems, *rows, *flat_value]

    first = ops.shape(flat_elems[0])[0] - 1 if reverse else ops.constant(0, dtype=dtypes.int32)
    outputs = []
    size = ops.shape(flat_elems[0])[0] + 1
    for value in flat_initial:
        shape = ops.concat([[size], ops.shape(value)], 0)
        output = raw.Empty(shape, dtype=value.dtype, init=True)
        outputs.append(_replace_row(raw.InplaceAdd, output, first + (1 if reverse else 0), value))
    inputs = [first, num_elems, *outputs, *flat_initial]
    on_host = [
        n for n, x in enumerate(inputs) if x.dtype.base_dtype in (dtypes.int32, dtypes.int64)
    ]
    if executing_eagerly():
        results = inputs
        while cond(*results):
            results = body(*results)
    else:
        defined = Defun(dtypes.int32, dtypes.int32, *types, *types)
        results = while_node(inputs, defined(cond), defined(body), hostmem=on_host)
    return pack_sequence_as(structure=initial, flat_sequence=results[2 : 2 + count])


def _replace_row(change: Callable, x: Tensor, i: Any, v: Any) -> Tensor:
    """Replaces row `i` of `x` with `v`."""
    x = ops.convert_to_tensor(x)
    v = ops.convert_to_tensor(v, x.dtype)
    i = ops.cast(i, dtypes.int32)
    return change(x, ops.reshape(i, [1]), ops.expand_dims(v, 0))
