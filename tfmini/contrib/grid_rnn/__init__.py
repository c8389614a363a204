"""`tf.contrib.grid_rnn`: recurrent cells that are grids, Kalchbrenner et al. (2015), https://arxiv.org/abs/1507.01526.

A grid has a cell along each of its dimensions, and each passes on an output of its own. `dimensions` says what each
dimension is for, `cell` computes a step of a grid, `kinds` are the grids that have a name.
"""

from collections import namedtuple

from tfmini.contrib.grid_rnn.cell import GridRNNCell
from tfmini.contrib.grid_rnn.kinds import (
    Grid1BasicLSTMCell,
    Grid1BasicRNNCell,
    Grid1LSTMCell,
    Grid2BasicLSTMCell,
    Grid2BasicRNNCell,
    Grid2GRUCell,
    Grid2LSTMCell,
    Grid3LSTMCell,
)
from tfmini.names.namespaces import namespace as _namespace

__all__ = [
    "Grid1BasicLSTMCell",
    "Grid1BasicRNNCell",
    "Grid1LSTMCell",
    "Grid2BasicLSTMCell",
    "Grid2BasicRNNCell",
    "Grid2GRUCell",
    "Grid2LSTMCell",
    "Grid3LSTMCell",
    "GridRNNCell",
    "namedtuple",
]

_namespace(globals())
