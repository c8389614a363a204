"""`tf.contrib.model_pruning`: weights that are set to zero while a network is trained, the smallest ones first.

Layers and cells multiply their weights by masks (`layers`, `masked_lstm_cells`); `Pruning` sets these as training
goes on; and `strip_pruning_vars` removes pruning nodes from a graph.
"""
