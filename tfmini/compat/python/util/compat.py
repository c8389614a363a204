"""`tensorflow.python.util.compat`: what of it has no public name."""

import collections.abc as collections_abc

__all__ = ["collections_abc"]
