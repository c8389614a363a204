"""`tf.keras.utils`: progress bars, batches by number, custom objects."""
