"""`tensorflow.python.training.tracking`."""
