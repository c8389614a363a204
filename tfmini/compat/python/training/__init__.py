"""`tensorflow.python.training`."""
