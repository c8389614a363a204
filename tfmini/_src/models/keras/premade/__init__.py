"""Models that are ready: linear, and wide and deep; `tf.keras.experimental` has their names."""
