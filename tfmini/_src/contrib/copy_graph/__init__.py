"""`tf.contrib.copy_graph`: copies nodes and variables from one graph to another, with their ancestors."""
