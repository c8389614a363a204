"""`tf.contrib.training`: hyperparameters, training ops, bucketing and sampling of examples."""
