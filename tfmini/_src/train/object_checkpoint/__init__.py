"""Object-based checkpoints: saves and restores Python objects by attribute names.

`object_graph` walks from an object to all that it holds; `checkpoint` saves and restores that; `checkpoint_manager`
keeps the latest few.
"""
