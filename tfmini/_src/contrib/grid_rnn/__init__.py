"""`tf.contrib.grid_rnn`: recurrent cells that are grids, Kalchbrenner et al. (2015), https://arxiv.org/abs/1507.01526.

A grid has a cell along each of its dimensions, and each passes on an output of its own. `dimensions` says what each
dimension is for, `grid_rnn_cell` computes a step of a grid, `named_grid_cells` are the grids that have a name.
"""
