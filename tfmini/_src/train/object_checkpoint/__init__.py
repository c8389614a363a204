"""Object-based checkpoints, which save and restore Python objects by attribute names.

`object_graph` traverses an object and its dependencies; `checkpoint` saves and restores objects;
`checkpoint_manager` retains recent checkpoints.
"""
