"""tf.estimator.inputs: queue-based input functions over arrays and data frames."""
