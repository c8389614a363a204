"""`tf.contrib.learn.preprocessing`: documents and categories as rows of ids."""
