"""`tf.keras.layers`: layers that own their weights. The classes of `tf.layers` derive from them."""
