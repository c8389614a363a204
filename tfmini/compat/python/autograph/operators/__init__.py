"""`tensorflow.python.autograph.operators`."""
