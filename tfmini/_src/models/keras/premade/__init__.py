"""Premade linear and wide-and-deep models, exported by `tf.keras.experimental`."""
