"""`tf.contrib`: its commonly used modules."""
