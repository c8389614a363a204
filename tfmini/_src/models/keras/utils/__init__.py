"""`tf.keras.utils`: progress bars, batch sequences, custom objects, downloads."""
