"""`tf.keras.wrappers`: models as other libraries take them."""
