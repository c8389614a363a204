"""`tf.contrib.training`: hyperparameters, training ops, bucketing and example sampling."""
