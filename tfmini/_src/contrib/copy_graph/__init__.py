"""`tf.contrib.copy_graph`: nodes and variables copied from one graph to another, each with what it needs."""
