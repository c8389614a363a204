"""Devices, and the array code below the ops: computations on arrays and plain numbers.

A module here takes the array module `xp` (numpy, or cupy on a GPU) and knows no graph.
"""
