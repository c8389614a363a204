"""`tensorflow.python.platform`."""
