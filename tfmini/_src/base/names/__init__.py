"""Tables of names: those of 1.15.5 that have been renamed, deprecated ones."""
