"""`tf.keras.layers`: layers that own their weights. `tf.layers` derives its classes from them."""
