"""`tf.contrib.nn`: dropout for selu, a softplus, losses, and two functions that `tf.nn` has too."""
