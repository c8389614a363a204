from tfmini import TensorSpec as TensorSpec
from tfmini._src.variables.resource_variable import ResourceVariable as _Variable; Variable = _Variable
from tfmini import custom_gradient as custom_gradient
from tfmini._src.functions.tf_function import defun as defun
from tfmini import enable_eager_execution as enable_eager_execution
from tfmini import executing_eagerly as executing_eagerly
from tfmini import function as function
from tfmini import executing_eagerly as _in_eager_mode; in_eager_mode = _in_eager_mode
