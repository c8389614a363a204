"""`tf.contrib.eager`: name-based Saver, restoration of variables on creation, and metrics."""
