"""`tf.contrib.slim`: layers, variables and losses in one namespace; networks; training operations."""
