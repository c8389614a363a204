"""`tensorflow.python.eager.def_function`: the class of the functions that `tf.function` returns."""

from tfmini._src.functions.tf_function import (
    Function,
    experimental_run_functions_eagerly,
    function,
)

__all__ = ["Function", "function", "run_functions_eagerly"]

run_functions_eagerly = experimental_run_functions_eagerly
