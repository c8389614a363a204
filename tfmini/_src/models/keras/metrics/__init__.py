"""`tf.keras.metrics`: functions of targets and predictions, and classes that keep their means over batches."""
