"""`tf.contrib`: the parts of it that programs use."""

from tfmini.contrib import framework, layers

__all__ = ["framework", "layers"]
