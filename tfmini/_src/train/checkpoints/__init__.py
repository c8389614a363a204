"""Savers: checkpoint files, checkpoint state, meta graphs, and initializers that read checkpoints."""
