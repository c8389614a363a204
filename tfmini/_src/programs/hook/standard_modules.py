"""Standard library modules that TensorFlow's modules import, and programs access through them."""

import collections.abc as collections_abc

__all__ = ["collections_abc"]
