"""Tensor lists: loop stacks, TensorArrays, TensorLists.

The lowest of the op families: loops and sequences push to and pop from them. Imports no other family.
"""

from tfmini._src.base.names.late_imports import late_modules

__getattr__ = late_modules(__name__)
