"""Savers: mapping of variables to files, checkpoint state, meta graphs, initializers from checkpoints."""
