"""tf.estimator.inputs: input functions of arrays and data frames, by queues."""
