"""`tensorflow.python.lib.io`."""
