"""`tf.contrib.estimator`: heads, additional metrics, and exports per mode."""
