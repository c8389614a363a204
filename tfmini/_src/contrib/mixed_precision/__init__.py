"""`tf.contrib.mixed_precision`: loss scaling, which prevents small float16 gradients from becoming 0."""
