"""`tf.contrib.grid_rnn`: recurrent grid cells, Kalchbrenner et al. (2015), https://arxiv.org/abs/1507.01526.

A grid has one cell per dimension, each with its own output. `grid_rnn_cell` describes the role of each dimension and
computes a step of a grid; `named_grid_cells` defines common grids.
"""
