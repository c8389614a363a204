"""Savers: checkpoint files, checkpoint state, meta graphs, initializers from checkpoints."""
