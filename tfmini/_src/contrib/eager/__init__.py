"""Names exclusive to `tf.contrib.eager`: a name-based Saver, variable restoration on creation, metrics."""
