"""`tensorflow.python.ops.ragged`: functions for ragged tensors without public names."""
