"""`tf.keras.mixed_precision`: dtype policies of layers, and loss scaling for float16 gradients."""
