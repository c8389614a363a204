"""`tf.contrib.eager`: what of it is of use in graphs."""

from tfmini.functions.custom_gradients import custom_gradient
from tfmini.functions.eager_mode import enable_eager_execution, executing_eagerly
from tfmini.functions.eager_mode import executing_eagerly as in_eager_mode
from tfmini.functions.polymorphic import defun, function
from tfmini.graph.specs import TensorSpec
from tfmini.names.namespaces import namespace as _namespace
from tfmini.variables.resource_variable import ResourceVariable as Variable

__all__ = [
    "TensorSpec",
    "Variable",
    "custom_gradient",
    "defun",
    "enable_eager_execution",
    "executing_eagerly",
    "function",
    "in_eager_mode",
]

_namespace(globals())
