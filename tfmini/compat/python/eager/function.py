"""`tensorflow.python.eager.function`: functions of graphs, traced at their calls."""

from tfmini.functions.concrete import ConcreteFunction
from tfmini.functions.polymorphic import Function, defun, defun_with_attributes

__all__ = ["ConcreteFunction", "Function", "defun", "defun_with_attributes"]
