"""`tf.contrib`: the parts of it that programs use."""

from tfmini.contrib import framework

__all__ = ["framework"]
