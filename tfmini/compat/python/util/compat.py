"""`tensorflow.python.util.compat`: the functions without public names."""

import collections.abc as collections_abc

__all__ = ["collections_abc"]
