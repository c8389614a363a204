"""`tf.contrib.estimator`: heads, additional metrics, exports per mode."""
