"""`tf.contrib.slim`: layers, variables, losses, networks and training functions in one namespace."""
