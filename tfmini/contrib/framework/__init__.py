"""`tf.contrib.framework`: conditionals, nested structures, names and checks."""

from tfmini import nest
from tfmini.deprecation import (
    deprecated,
    deprecated_arg_values,
    deprecated_args,
)
from tfmini.graph.conversion import convert_to_tensor_or_sparse_tensor
from tfmini.graph.prefixes import prepend_name_scope, strip_name_scope
from tfmini.graph.specs import TensorSpec
from tfmini.graph.values import is_tensor
from tfmini.ops.cases import smart_case, smart_cond, smart_constant_value
from tfmini.ops.type_checks import assert_same_float_dtype, assert_scalar

__all__ = [
    "TensorSpec",
    "assert_same_float_dtype",
    "assert_scalar",
    "convert_to_tensor_or_sparse_tensor",
    "deprecated",
    "deprecated_arg_values",
    "deprecated_args",
    "is_tensor",
    "nest",
    "prepend_name_scope",
    "smart_case",
    "smart_cond",
    "smart_constant_value",
    "strip_name_scope",
]
