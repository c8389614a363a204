"""`tf.contrib.distributions`: the distributions of `tf.distributions`, and others exclusive to it."""
