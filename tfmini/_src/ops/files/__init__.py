"""File ops: file contents, checkpoints, remapped vocabularies."""
