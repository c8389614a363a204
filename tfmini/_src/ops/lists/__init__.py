"""Tensor lists: loop stacks, TensorArrays, TensorLists.

The lowest of the op families, used by loops and sequences; imports no other family.
"""

from tfmini._src.base.names.lazy_imports import lazy_modules

__getattr__ = lazy_modules(__name__)
