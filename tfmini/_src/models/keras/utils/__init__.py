"""`tf.keras.utils`: progress bars, indexed batches, custom objects."""
