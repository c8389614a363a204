"""`tf.keras.metrics`: functions of targets and predictions, and classes that aggregate them over batches."""
