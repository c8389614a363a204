"""`tf.contrib.eager`'s own: a Saver by names, restoring variables as they are made, and metrics."""
