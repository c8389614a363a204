"""`tensorflow.python.ops.distributions`: the parts without public names, for distributions of one's own."""
