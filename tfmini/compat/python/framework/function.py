"""`tensorflow.python.framework.function`: functions in the library of a graph, defined by Python functions."""

from tfmini._src.functions.defined_function import from_library
from tfmini._src.functions.defun import Defun, get_extra_args, get_extra_inputs, get_extra_vars

__all__ = ["Defun", "from_library", "get_extra_args", "get_extra_inputs", "get_extra_vars"]
