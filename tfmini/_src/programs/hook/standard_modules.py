"""Standard library modules imported by TensorFlow's modules, through which programs access them."""

import collections.abc as collections_abc

__all__ = ["collections_abc"]
