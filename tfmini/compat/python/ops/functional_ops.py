"""`tensorflow.python.ops.functional_ops`: functions that are carried through the rows of tensors."""

from tfmini.variables.mapping import foldl, foldr, scan

__all__ = ["foldl", "foldr", "scan"]
