"""`tensorflow.python.tools`."""
