"""Savers: which variables go into which files, checkpoint state, meta graphs, initializers from checkpoints."""
