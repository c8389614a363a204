"""`tensorflow.python.layers`."""
