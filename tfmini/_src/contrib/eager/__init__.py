"""Names exclusive to `tf.contrib.eager`: a Saver by name, restoring variables on creation, and metrics."""
