"""Lists of tensors: loop stacks, TensorArrays, TensorLists.

The lowest op family, used by loops and sequences; it imports no other family.
"""

from tfmini._src.base.names.lazy_imports import lazy_modules

__getattr__ = lazy_modules(__name__)
