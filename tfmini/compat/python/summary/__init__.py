"""`tensorflow.python.summary`."""
