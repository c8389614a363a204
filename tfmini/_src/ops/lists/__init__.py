"""Lists of tensors: the stacks of loops, TensorArrays, TensorLists.

Lowest of the families: loops and sequences push to and pop from them. Imports no other family.
"""
