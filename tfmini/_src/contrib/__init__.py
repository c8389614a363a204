"""`tf.contrib`: the parts of it that programs use."""
