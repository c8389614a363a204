"""`tf.keras.mixed_precision`: dtypes of layers, and losses that are scaled for gradients of float16."""
