"""`tf.contrib.grid_rnn`: recurrent cells that are grids, Kalchbrenner et al. (2015), https://arxiv.org/abs/1507.01526.

A grid has a cell along each of its dimensions, and each passes on an output of its own. `dimensions` says what each
dimension is for, `cell` computes a step of a grid, `kinds` are the grids that have a name.
"""

from tfmini._src.base.names.public import attach as _attach

__getattr__, __dir__, __all__ = _attach(__name__, __file__)
