"""Checkpoints of objects: connected Python objects are saved, and found again, by the names of attributes.

`object_graph` walks from an object to all that it holds; `checkpoint` saves and restores that; `checkpoint_manager`
keeps the latest few.
"""
