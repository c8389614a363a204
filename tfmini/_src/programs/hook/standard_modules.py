"""Modules of the standard library that modules of TensorFlow hold, and programs take from there."""

import collections.abc as collections_abc

__all__ = ["collections_abc"]
