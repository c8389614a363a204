"""`tf.keras.metrics`: functions of targets and predictions, and classes that average them over batches."""
