"""`tf.contrib.metrics`: older names of `tf.metrics`, and additional metrics."""
