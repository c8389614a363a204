"""`tensorflow.python.layers.core`: dense layers."""

from tfmini.layers.connected import Dense, dense

__all__ = ["Dense", "dense"]
