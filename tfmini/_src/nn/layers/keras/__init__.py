"""`tf.keras.layers`: layers whose weights are variables of their own. `tf.layers` derives its classes from them."""
