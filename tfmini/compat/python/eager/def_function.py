"""`tensorflow.python.eager.def_function`: the class of `tf.function`'s results."""

from tfmini._src.functions.tf_function import Function, function

__all__ = ["Function", "function"]
