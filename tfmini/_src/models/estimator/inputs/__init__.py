"""tf.estimator.inputs: input functions over arrays and data frames, by queues."""
