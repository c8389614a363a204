"""`tensorflow.python.ops.ragged`: the functions of ragged tensors without public names."""
