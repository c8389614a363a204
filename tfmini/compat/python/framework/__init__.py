"""`tensorflow.python.framework`."""
