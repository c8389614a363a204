"""Control flow: Switch and Merge, conditionals and cases, loops and their frames, grouping of side effects.

The nodes match TensorFlow's; the runtime compiles them to Python branches and loops.
"""
