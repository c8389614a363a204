"""`tf.contrib.framework`: conditionals, nested structures, names, checks, variables by name, the global step."""

from tfmini.contrib.framework import nest
from tfmini.contrib.framework.arg_scopes import (
    add_arg_scope,
    arg_scope,
    arg_scoped_arguments,
    current_arg_scope,
    has_arg_scope,
)
from tfmini.contrib.framework.checkpoints import (
    assign_from_checkpoint,
    assign_from_checkpoint_fn,
    init_from_checkpoint,
    list_variables,
    load_checkpoint,
    load_variable,
)
from tfmini.contrib.framework.choosing import (
    add_model_variable,
    assign_from_values,
    assign_from_values_fn,
    filter_variables,
    get_local_variables,
    get_model_variables,
    get_trainable_variables,
    get_unique_variable,
    get_variable_full_name,
    get_variables,
    get_variables_by_name,
    get_variables_by_suffix,
    get_variables_to_restore,
)
from tfmini.contrib.framework.fusing import fuse_op, zero_initializer
from tfmini.contrib.framework.graphs import (
    assert_scalar_int,
    get_graph_from_inputs,
    get_name_scope,
    get_placeholders,
    reduce_sum_n,
    remove_squeezable_dimensions,
)
from tfmini.contrib.framework.making import (
    VariableDeviceChooser,
    global_variable,
    local_variable,
    model_variable,
    variable,
)
from tfmini.contrib.framework.python_functions import py_func
from tfmini.contrib.framework.remapping import (
    load_linear_multiclass_bias_initializer,
    load_variable_slot_initializer,
)
from tfmini.contrib.framework.same_shapes import with_same_shape, with_shape
from tfmini.contrib.framework.steps import (
    assert_global_step,
    assert_or_get_global_step,
    create_global_step,
    get_global_step,
    get_or_create_global_step,
)
from tfmini.graph.bounded_specs import BoundedTensorSpec
from tfmini.graph.conversion import convert_to_tensor_or_sparse_tensor
from tfmini.graph.prefixes import prepend_name_scope, strip_name_scope
from tfmini.graph.specs import TensorSpec
from tfmini.graph.values import is_tensor
from tfmini.names.deprecation import (
    deprecated,
    deprecated_arg_values,
    deprecated_args,
)
from tfmini.names.namespaces import namespace as _namespace
from tfmini.ops.checks.type_checks import assert_same_float_dtype, assert_scalar
from tfmini.ops.control_flow.cases import smart_case, smart_cond, smart_constant_value
from tfmini.ops.math.sorting import argsort, sort
from tfmini.ops.queues.record_input_objects import RecordInput
from tfmini.train.checkpoints.remapped_initializers import (
    load_and_remap_matrix_initializer,
    load_embedding_initializer,
)
from tfmini.variables.convolution_initializers import (
    ConvolutionDeltaOrthogonal as convolutional_delta_orthogonal,
)
from tfmini.variables.convolution_initializers import (
    ConvolutionOrthogonal1D as convolutional_orthogonal_1d,
)
from tfmini.variables.convolution_initializers import (
    ConvolutionOrthogonal2D as convolutional_orthogonal_2d,
)
from tfmini.variables.convolution_initializers import (
    ConvolutionOrthogonal3D as convolutional_orthogonal_3d,
)

__all__ = [
    "BoundedTensorSpec",
    "RecordInput",
    "TensorSpec",
    "VariableDeviceChooser",
    "add_arg_scope",
    "add_model_variable",
    "arg_scope",
    "arg_scoped_arguments",
    "argsort",
    "assert_global_step",
    "assert_or_get_global_step",
    "assert_same_float_dtype",
    "assert_scalar",
    "assert_scalar_int",
    "assign_from_checkpoint",
    "assign_from_checkpoint_fn",
    "assign_from_values",
    "assign_from_values_fn",
    "convert_to_tensor_or_sparse_tensor",
    "convolutional_delta_orthogonal",
    "convolutional_orthogonal_1d",
    "convolutional_orthogonal_2d",
    "convolutional_orthogonal_3d",
    "create_global_step",
    "current_arg_scope",
    "deprecated",
    "deprecated_arg_values",
    "deprecated_args",
    "filter_variables",
    "fuse_op",
    "get_global_step",
    "get_graph_from_inputs",
    "get_local_variables",
    "get_model_variables",
    "get_name_scope",
    "get_or_create_global_step",
    "get_placeholders",
    "get_trainable_variables",
    "get_unique_variable",
    "get_variable_full_name",
    "get_variables",
    "get_variables_by_name",
    "get_variables_by_suffix",
    "get_variables_to_restore",
    "global_variable",
    "has_arg_scope",
    "init_from_checkpoint",
    "is_tensor",
    "list_variables",
    "load_and_remap_matrix_initializer",
    "load_checkpoint",
    "load_embedding_initializer",
    "load_linear_multiclass_bias_initializer",
    "load_variable",
    "load_variable_slot_initializer",
    "local_variable",
    "model_variable",
    "nest",
    "prepend_name_scope",
    "py_func",
    "reduce_sum_n",
    "remove_squeezable_dimensions",
    "smart_case",
    "smart_cond",
    "smart_constant_value",
    "sort",
    "strip_name_scope",
    "variable",
    "with_same_shape",
    "with_shape",
    "zero_initializer",
]

_namespace(globals())
