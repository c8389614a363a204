"""`tf.contrib.graph_editor`: finding, copying and rewiring operations and tensors of a graph."""
