"""`DropoutWrapper`: dropout of the inputs, states and outputs of a cell."""

from __future__ import annotations

import hashlib
import numbers
from collections.abc import Callable
from itertools import count
from typing import Any

from tfmini._src.base.nest.shallow import get_traverse_shallow_structure, map_structure_up_to
from tfmini._src.base.read_only import read_only
from tfmini._src.base.shapes import TensorShape
from tfmini._src.graph.scopes import name_scope
from tfmini._src.graph.static_values import get_static_value
from tfmini._src.nn.rnn.cell_wrappers import CellWrapper
from tfmini._src.nn.rnn.rnn_cell import LSTMStateTuple
from tfmini._src.ops import ops


class DropoutWrapper(CellWrapper):
    """Wraps a cell with dropout of its inputs, new states and outputs.

    With `variational_recurrent`, one mask is shared by all steps of a run and all rows of the batch, as in
    Gal and Ghahramani (2015), https://arxiv.org/abs/1512.05287; otherwise each step draws a new mask. By default, the
    cell state `c` of an LSTMStateTuple is not dropped.

    Args:
      cell: the cell.
      input_keep_prob, output_keep_prob, state_keep_prob: probability of keeping an element, a number in [0, 1] or a
        scalar tensor; the number 1 disables dropout.
      variational_recurrent: see above.
      input_size: the size of the inputs, or a structure of sizes; required (and used) only for variational dropout of
        the inputs.
      dtype: dtype of inputs, states and outputs; required with `variational_recurrent`.
      seed: base seed, from which the seeds of inputs, states and outputs are derived.
      dropout_state_filter_visitor: a function that selects the parts of a state subject to dropout; it returns a bool
        for the whole state, or a structure of bools, one level deep.
      **kwargs: layer arguments.

    Raises:
      TypeError: if `cell` is not a cell, or the filter is not callable.
      ValueError: for a probability outside [0, 1], or if a required dtype or input_size is missing.

    Example: `cell = tf.nn.rnn_cell.DropoutWrapper(cell, output_keep_prob=keep_prob)`.
    """

    _kept = (
        *("input_keep_prob", "output_keep_prob", "state_keep_prob"),
        *("variational_recurrent", "input_size", "seed"),
    )

    def __init__(self, *args: Any, **kwargs: Any):
        self._set(*args, **kwargs)

    def _set(
        self,
        cell: Any,
        input_keep_prob: Any = 1.0,
        output_keep_prob: Any = 1.0,
        state_keep_prob: Any = 1.0,
        variational_recurrent: bool = False,
        input_size: Any = None,
        dtype: Any = None,
        seed: int | None = None,
        dropout_state_filter_visitor: Callable | None = None,
        **kwargs: Any,
    ) -> None:
        self._wrap(cell, dtype=dtype, **kwargs)
        if dropout_state_filter_visitor is not None and not callable(dropout_state_filter_visitor):
            raise TypeError("dropout_state_filter_visitor must be callable")
        self._dropout_state_filter = dropout_state_filter_visitor or _all_but_memory
        with name_scope("DropoutWrapperInit"):
            self._input_keep_prob = _probability(input_keep_prob, "input_keep_prob")
            self._state_keep_prob = _probability(state_keep_prob, "state_keep_prob")
            self._output_keep_prob = _probability(output_keep_prob, "output_keep_prob")
        self._variational_recurrent = variational_recurrent
        self._input_size = input_size
        self._seed = seed
        self._recurrent_input_noise = None
        self._recurrent_state_noise = None
        self._recurrent_output_noise = None
        if not variational_recurrent:
            return
        if dtype is None:
            raise ValueError("When variational_recurrent=True, dtype must be provided")
        if not isinstance(self._input_keep_prob, numbers.Real) or self._input_keep_prob < 1.0:
            if input_size is None:
                raise ValueError(
                    "When variational_recurrent=True and input_keep_prob < 1.0 or is unknown, "
                    "input_size must be provided"
                )
            self._recurrent_input_noise = self._noise(input_size, "input", dtype)
        self._recurrent_state_noise = self._noise(cell.state_size, "state", dtype)
        self._recurrent_output_noise = self._noise(cell.output_size, "output", dtype)

    def _noise(self, sizes: Any, salt: str, dtype: Any) -> Any:
        """Returns uniform random numbers [1, size] for each size, shared by the whole batch."""

        def draw(index: int, size: Any) -> Any:
            shape = ops.concat(([1], TensorShape(size).as_list()), 0)
            return ops.random_uniform(shape, seed=self._gen_seed(salt, index), dtype=dtype)

        return _map_with_index(sizes, draw, sizes)

    def _gen_seed(self, salt: str, index: int) -> int | None:
        """Returns the seed for one part of the inputs, states or outputs, selected by index."""
        if self._seed is None:
            return None
        digest = hashlib.md5(f"{self._seed}{salt}_{index}".encode()).hexdigest()
        return int(digest[:8], 16) & 0x7FFFFFFF

    wrapped_cell: Any = read_only("The wrapped cell.", "cell")

    def _call_wrapped_cell(self, inputs: Any, state: Any, step: Callable, **kwargs: Any) -> Any:
        if _drops(self._input_keep_prob):
            noise = self._recurrent_input_noise
            inputs = self._dropout(inputs, "input", noise, self._input_keep_prob, inputs)
        output, state = step(inputs, state, **kwargs)
        if _drops(self._state_keep_prob):
            substructure = get_traverse_shallow_structure(self._dropout_state_filter, state)
            noise = self._recurrent_state_noise
            state = self._dropout(state, "state", noise, self._state_keep_prob, substructure)
        if _drops(self._output_keep_prob):
            noise = self._recurrent_output_noise
            output = self._dropout(output, "output", noise, self._output_keep_prob, output)
        return output, state

    def _dropout(
        self, values: Any, salt: str, noise: Any, keep_prob: Any, substructure: Any
    ) -> Any:
        """Applies dropout to all parts of `values` for which `substructure` is not False."""

        def dropout_per_step(index: int, choice: Any, value: Any) -> Any:
            if choice is False:
                return value
            return ops.dropout(value, rate=1.0 - keep_prob, seed=self._gen_seed(salt, index))

        def dropout_by_mask(index: int, choice: Any, value: Any, noise: Any) -> Any:
            if choice is False:
                return value
            mask = ops.floor(keep_prob + noise)
            result = ops.div(value, keep_prob) * mask
            result.set_shape(value.shape)
            return result

        if self._variational_recurrent:
            return _map_with_index(substructure, dropout_by_mask, substructure, values, noise)
        return _map_with_index(substructure, dropout_per_step, substructure, values)

    def get_config(self) -> dict[str, Any]:
        """Returns constructor arguments to recreate the wrapper; a custom filter is included as a function."""
        config = super().get_config()
        if self._dropout_state_filter is not _all_but_memory:
            config["dropout_state_filter_visitor"] = self._dropout_state_filter
        return config


def _probability(value: Any, name: str) -> Any:
    """Converts a probability to a float if it is known, else to a tensor."""
    tensor = ops.convert_to_tensor(value)
    static = get_static_value(tensor)
    if static is None:
        return tensor
    if static < 0 or static > 1:
        raise ValueError(f"Parameter {name} must be between 0 and 1: {int(static)}")
    return float(static)


def _drops(keep_prob: Any) -> bool:
    return not isinstance(keep_prob, float) or keep_prob < 1


def _all_but_memory(state: Any) -> Any:
    """Default filter, which drops all states except LSTM cell states and TensorArrays."""
    if isinstance(state, LSTMStateTuple):
        return LSTMStateTuple(c=False, h=True)
    return not isinstance(state, ops.TensorArray)


def _map_with_index(shallow: Any, function: Callable, *structures: Any) -> Any:
    """`nest.map_structure_up_to` that passes the index of the leaf to the function as its first argument."""
    numbers_of_leaves = count()
    return map_structure_up_to(
        shallow, lambda *leaves: function(next(numbers_of_leaves), *leaves), *structures
    )
