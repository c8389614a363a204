"""Notes on names: those of 1.15.5 that are called otherwise, deprecated ones."""
