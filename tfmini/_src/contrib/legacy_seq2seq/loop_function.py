"""Sources of a decoder's inputs: the actual inputs, or the previous output."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from tfmini._src.base.nest.containers import is_sequence
from tfmini._src.base.nest.structure import flatten, pack_sequence_as
from tfmini._src.ops import ops
from tfmini._src.variables.get_variable import get_variable_scope
from tfmini._src.variables.variable_scope import variable_scope


def embed_argmax(embedding: Any, projection: Any, update: bool) -> Callable:
    """Returns a function from an output to its likeliest symbol's embedding; `projection` maps outputs to logits."""

    def next_input(previous: Any, _: int) -> Any:
        if projection is not None:
            previous = ops.xw_plus_b(previous, projection[0], projection[1])
        vector = ops.embedding_lookup(embedding, ops.argmax(previous, 1))
        return vector if update else ops.stop_gradient(vector)

    return next_input


def check_projection(projection: Any, symbols: int, dtype: Any) -> None:
    """Converts weights and biases to tensors, checking their shapes [size, symbols] and [symbols]."""
    weights = ops.convert_to_tensor(projection[0], dtype=dtype)
    weights.shape.assert_is_compatible_with([None, symbols])
    check_biases(projection, symbols, dtype)


def check_biases(projection: Any, symbols: int, dtype: Any) -> None:
    """Converts biases to a tensor, checking its shape [symbols]."""
    biases = ops.convert_to_tensor(projection[1], dtype=dtype)
    biases.shape.assert_is_compatible_with([symbols])


def decode_conditionally(
    feed_previous: Any, decode: Callable, steps: int, example: Callable
) -> tuple[list, Any]:
    """Returns the outputs and state of a decoder built in two variants, selected by a tensor.

    Args:
      feed_previous: a bool scalar.
      decode: function from a bool, whether to feed the previous output, to (outputs, state).
      steps: number of outputs.
      example: function that returns a value in the structure of the state.
    """

    def branch(feed: bool) -> list:
        with variable_scope(get_variable_scope(), reuse=None if feed else True):
            outputs, state = decode(feed)
            return outputs + (flatten(state) if is_sequence(state) else [state])

    both = ops.cond(feed_previous, lambda: branch(True), lambda: branch(False))
    states = both[steps:]
    structure = example()
    state = states[0]
    if is_sequence(structure):
        state = pack_sequence_as(structure=structure, flat_sequence=states)
    return both[:steps], state
