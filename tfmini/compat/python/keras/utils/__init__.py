"""`tensorflow.python.keras.utils`."""
