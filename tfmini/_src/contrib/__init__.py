"""`tf.contrib`: the parts commonly used in programs."""
