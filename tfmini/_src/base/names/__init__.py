"""Tables of 1.15.5's names: renamed, deprecated and missing ones."""
