"""`tensorflow.python.eager.def_function`: what `tf.function` returns."""

from tfmini._src.functions.tf_function import Function, function

__all__ = ["Function", "function"]
