"""`tf.contrib.graph_editor`: operations and tensors of a graph found, copied, and given other inputs."""
