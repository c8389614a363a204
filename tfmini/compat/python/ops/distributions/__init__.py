"""`tensorflow.python.ops.distributions`: names without public equivalents, for custom distributions."""
