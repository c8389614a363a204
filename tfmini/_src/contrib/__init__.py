"""`tf.contrib`: the parts commonly used by programs."""
