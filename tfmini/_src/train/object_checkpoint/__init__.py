"""Object-based checkpoints: saves and restores Python objects by attribute names.

`object_graph` traverses an object and its dependencies; `checkpoint` saves and restores them;
`checkpoint_manager` retains recent checkpoints.
"""
