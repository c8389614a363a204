"""`tf.contrib.grid_rnn`: recurrent grid cells, Kalchbrenner et al. (2015), https://arxiv.org/abs/1507.01526.

A grid has one cell per dimension, each with its own output. `dimensions` describes the role of each dimension,
`grid_rnn_cell` computes a step of a grid, and `named_grid_cells` defines common grids.
"""
