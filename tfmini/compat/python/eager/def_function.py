"""`tensorflow.python.eager.def_function`: what `tf.function` returns."""

from tfmini.functions.polymorphic import Function, function

__all__ = ["Function", "function"]
