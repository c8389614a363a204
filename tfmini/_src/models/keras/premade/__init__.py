"""Premade models: linear, and wide and deep; `tf.keras.experimental` exports them."""
