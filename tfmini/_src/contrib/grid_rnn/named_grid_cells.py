"""Named grids, whose first dimension is computed last, reads the input and returns the output."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from tfmini._src.base.names.signature import arguments_of
from tfmini._src.contrib.grid_rnn.grid_rnn_cell import GridRNNCell
from tfmini._src.nn.rnn.basic_lstm_cell import BasicLSTMCell
from tfmini._src.nn.rnn.basic_rnn_cell import BasicRNNCell
from tfmini._src.nn.rnn.gru_cell import GRUCell
from tfmini._src.nn.rnn.lstm_cell import LSTMCell
from tfmini._src.nn.rnn.rnn_cell import RNNCell


class _PredefinedGridCell(GridRNNCell):
    """A grid whose first dimension is its input, output and priority dimension; stateless with `non_recurrent_fn`."""

    def __init__(
        self,
        num_units: int,
        num_dims: int,
        cell_fn: Callable[[int], RNNCell],
        state_is_tuple: bool,
        output_is_tuple: bool,
        tied: bool = False,
        non_recurrent_fn: Callable[..., Any] | None = None,
    ):
        super().__init__(
            num_units,
            num_dims,
            input_dims=0,
            output_dims=0,
            priority_dims=0,
            non_recurrent_dims=None if non_recurrent_fn is None else 0,
            tied=tied,
            cell_fn=cell_fn,
            non_recurrent_fn=non_recurrent_fn,
            state_is_tuple=state_is_tuple,
            output_is_tuple=output_is_tuple,
        )


class Grid1BasicRNNCell(_PredefinedGridCell):
    """A one-dimensional grid of `BasicRNNCell`; see `GridRNNCell` for the arguments."""

    def __init__(self, num_units: int, state_is_tuple: bool = True, output_is_tuple: bool = True):
        super().__init__(num_units, 1, BasicRNNCell, state_is_tuple, output_is_tuple)


class Grid2BasicRNNCell(_PredefinedGridCell):
    """A two-dimensional grid of `BasicRNNCell`; see `GridRNNCell` for the arguments."""

    def __init__(
        self,
        num_units: int,
        tied: bool = False,
        non_recurrent_fn: Callable[..., Any] | None = None,
        state_is_tuple: bool = True,
        output_is_tuple: bool = True,
    ):
        are_tuples = (state_is_tuple, output_is_tuple)
        super().__init__(num_units, 2, BasicRNNCell, *are_tuples, tied, non_recurrent_fn)


class Grid1BasicLSTMCell(_PredefinedGridCell):
    """A one-dimensional grid of `BasicLSTMCell` with `forget_bias`; see `GridRNNCell` for other arguments."""

    @arguments_of(Grid1BasicRNNCell)
    def __init__(self, num_units: int, forget_bias: float = 1, **grid: Any):
        super().__init__(num_units, 1, _basic_lstm(forget_bias), **grid)


class Grid2BasicLSTMCell(_PredefinedGridCell):
    """A two-dimensional grid of `BasicLSTMCell` with `forget_bias`; see `GridRNNCell` for other arguments."""

    @arguments_of(Grid2BasicRNNCell)
    def __init__(self, non_recurrent_fn: Any, forget_bias: float = 1, **grid: Any):
        grid |= {"cell_fn": _basic_lstm(forget_bias), "non_recurrent_fn": non_recurrent_fn}
        super().__init__(num_dims=2, **grid)


class Grid1LSTMCell(_PredefinedGridCell):
    """A one-dimensional grid of `LSTMCell` with optional peepholes; see `GridRNNCell` for other arguments."""

    @arguments_of(Grid1BasicRNNCell)
    def __init__(
        self, num_units: int, use_peepholes: bool = False, forget_bias: float = 1.0, **grid: Any
    ):
        super().__init__(num_units, 1, _lstm(use_peepholes, forget_bias), **grid)


class Grid2LSTMCell(_PredefinedGridCell):
    """A two-dimensional grid of `LSTMCell` with optional peepholes; see `GridRNNCell` for other arguments."""

    @arguments_of(Grid2BasicRNNCell)
    def __init__(
        self,
        non_recurrent_fn: Any,
        use_peepholes: bool = False,
        forget_bias: float = 1.0,
        **grid: Any,
    ):
        grid |= {"cell_fn": _lstm(use_peepholes, forget_bias), "non_recurrent_fn": non_recurrent_fn}
        super().__init__(num_dims=2, **grid)


class Grid3LSTMCell(_PredefinedGridCell):
    """A three-dimensional grid of `LSTMCell` with optional peepholes; see `GridRNNCell` for other arguments."""

    @arguments_of(Grid2LSTMCell)
    def __init__(self, use_peepholes: bool, forget_bias: float, **grid: Any):
        super().__init__(num_dims=3, cell_fn=_lstm(use_peepholes, forget_bias), **grid)


class Grid2GRUCell(_PredefinedGridCell):
    """A two-dimensional grid of `GRUCell`; see `GridRNNCell` for the arguments."""

    @arguments_of(Grid2BasicRNNCell)
    def __init__(self, **grid: Any):
        super().__init__(num_dims=2, cell_fn=GRUCell, **grid)


def _basic_lstm(forget_bias: float) -> Callable[[int], RNNCell]:
    return lambda units: BasicLSTMCell(units, forget_bias=forget_bias)


def _lstm(use_peepholes: bool, forget_bias: float) -> Callable[[int], RNNCell]:
    return lambda units: LSTMCell(units, use_peepholes=use_peepholes, forget_bias=forget_bias)
