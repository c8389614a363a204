"""Tensor lists: loop stacks, TensorArrays, TensorLists.

The lowest of the op families, used by loops and sequences; imports no other family.
"""

from tfmini._src.base.names.late_imports import late_modules

__getattr__ = late_modules(__name__)
