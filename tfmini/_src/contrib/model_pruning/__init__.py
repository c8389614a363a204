"""`tf.contrib.model_pruning`: sets weights to zero during training, smallest first.

Layers and cells multiply their weights by masks (`layers`, `masked_lstm_cells`); `Pruning` updates these during
training; `strip_pruning_vars` removes pruning nodes from a graph.
"""
