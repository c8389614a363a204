"""`tf.contrib.mixed_precision`: scaled losses, so that small float16 gradients are not 0."""
