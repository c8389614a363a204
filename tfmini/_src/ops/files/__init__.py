"""Ops that read and write files: contents, checkpoints, vocabularies remapped."""
