"""Switch and Merge, conditions and cases, loops and their frames, groups of side effects.

Nodes are made as TensorFlow makes them; the runtime turns them into branches and loops of Python.
"""
