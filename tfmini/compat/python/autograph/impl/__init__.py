"""`tensorflow.python.autograph.impl`."""
