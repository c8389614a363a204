"""`tf.contrib.model_pruning`: sets weights to zero during training, the smallest ones first.

Layers and cells multiply their weights by masks (`layers`, `masked_lstm_cells`); `Pruning` sets these as training
goes on; and `strip_pruning_vars` removes pruning nodes from a graph.
"""
