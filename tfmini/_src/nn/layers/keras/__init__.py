"""`tf.keras.layers`: layers whose weights are their own variables. `tf.layers` derives its classes from them."""
