"""`tf.contrib.training`: hyperparameters, operations that train, buckets and samples of examples."""
