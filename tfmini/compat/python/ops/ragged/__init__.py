"""`tensorflow.python.ops.ragged`: functions of ragged tensors without public names."""
