"""`tf.contrib.metrics`: older names of `tf.metrics`, and some more metrics."""
