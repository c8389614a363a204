"""The variables of a graph by collection, and the ops that initialize and check them."""

from __future__ import annotations

import os
from collections.abc import Sequence
from typing import Any

from tfmini._src.base import dtypes
from tfmini._src.base.names.deprecation import deprecated
from tfmini._src.graph.collections import get_collection
from tfmini._src.graph.default_graph import get_default_graph
from tfmini._src.graph.eager.execution_mode import executing_eagerly
from tfmini._src.graph.eager.used_results import should_use_result
from tfmini._src.graph.graph_keys import GraphKeys
from tfmini._src.graph.graphdef.collection_protos import register_proto_function
from tfmini._src.graph.operation import Operation
from tfmini._src.graph.scopes import colocate_with, device, name_scope
from tfmini._src.graph.tensor import Tensor
from tfmini._src.ops import ops
from tfmini._src.ops.array.shape_queries import rank_internal
from tfmini._src.variables.ref_variable import RefVariable
from tfmini._src.variables.resource_variable import ResourceVariable
from tfmini._src.variables.variable import Variable


def global_variables(scope: str | None = None) -> list[Variable]:
    """Returns the variables in the GLOBAL_VARIABLES collection; `scope` filters them by a name pattern."""
    return get_collection(GraphKeys.GLOBAL_VARIABLES, scope)


def local_variables(scope: str | None = None) -> list[Variable]:
    """Returns the variables in the LOCAL_VARIABLES collection, which are not saved."""
    return get_collection(GraphKeys.LOCAL_VARIABLES, scope)


def model_variables(scope: str | None = None) -> list[Variable]:
    """Returns the variables in the MODEL_VARIABLES collection, which are used for inference."""
    return get_collection(GraphKeys.MODEL_VARIABLES, scope)


def trainable_variables(scope: str | None = None) -> list[Variable]:
    """Returns the variables in the TRAINABLE_VARIABLES collection, which optimizers update by default."""
    return get_collection(GraphKeys.TRAINABLE_VARIABLES, scope)


def moving_average_variables(scope: str | None = None) -> list[Variable]:
    """Returns the variables in the MOVING_AVERAGE_VARIABLES collection, which have moving averages."""
    return get_collection(GraphKeys.MOVING_AVERAGE_VARIABLES, scope)


@deprecated("2017-03-02", "Please use tf.global_variables instead.")
def all_variables() -> list[Variable]:
    """Older name of `tf.global_variables`."""
    return global_variables()


def saveable_objects(scope: str | None = None) -> list:
    """Returns the objects that a Saver saves by default: global variables and the SAVEABLE_OBJECTS collection."""
    return global_variables(scope) + get_collection(GraphKeys.SAVEABLE_OBJECTS, scope)


def variables_initializer(var_list: Sequence[Any] | None, name: str = "init") -> Operation:
    """Returns an operation that initializes `var_list`, in no particular order."""
    if var_list and not executing_eagerly():
        return ops.group(*[v.initializer for v in var_list], name=name)
    return ops.no_op(name=name)


def global_variables_initializer() -> Operation:
    """Returns an operation that initializes the global variables created so far."""
    return variables_initializer(global_variables())


def local_variables_initializer() -> Operation:
    """Returns an operation that initializes the local variables created so far."""
    return variables_initializer(local_variables())


@deprecated("2017-03-02", "Use `tf.variables_initializer` instead.")
@should_use_result
def initialize_variables(var_list: Sequence[Any] | None, name: str = "init") -> Operation:
    """Older name of `tf.variables_initializer`."""
    return variables_initializer(var_list, name=name)


@deprecated("2017-03-02", "Use `tf.global_variables_initializer` instead.")
@should_use_result
def initialize_all_variables() -> Operation:
    """Older name of `tf.global_variables_initializer`."""
    return global_variables_initializer()


@deprecated("2017-03-02", "Use `tf.local_variables_initializer` instead.")
@should_use_result
def initialize_local_variables() -> Operation:
    """Older name of `tf.local_variables_initializer`."""
    return local_variables_initializer()


@should_use_result
def is_variable_initialized(variable: Variable) -> Tensor:
    """Returns whether `variable` is initialized, as a scalar bool tensor."""
    return ops.is_variable_initialized(variable)


def _variables(var_list: Any) -> list:
    """Returns `var_list`, by default all global and local variables; if there are none, all variable nodes."""
    if var_list is None:
        var_list = global_variables() + local_variables()
    return var_list or [
        op.outputs[0]
        for op in get_default_graph().get_operations()
        if op.type in ("Variable", "VariableV2")
    ]


@should_use_result
def assert_variables_initialized(var_list: Sequence[Any] | None = None) -> Tensor | None:
    """Returns a tensor whose evaluation raises FailedPreconditionError if a variable is uninitialized.

    Args:
      var_list: the variables to check, by default all global and local variables.

    Returns:
      A tensor to run, or None if there are no variables.
    """
    variables = _variables(var_list)
    if not variables:
        return None
    ranks = []
    for variable in variables:
        with colocate_with(variable.op):
            ranks.append(rank_internal(variable, optimize=False))
    return ranks[0] if len(ranks) == 1 else ops.stack(ranks)


@should_use_result
def report_uninitialized_variables(
    var_list: Sequence[Any] | None = None, name: str = "report_uninitialized_variables"
) -> Tensor:
    """Returns the names of the variables that are uninitialized at run time, as a string vector.

    Args:
      var_list: the variables to check, by default all global and local variables.
      name: name scope of the ops.
    """
    variables = _variables(None) if var_list is None else var_list
    with name_scope(name):
        states = [ops.is_variable_initialized(v) for v in variables]
        where = os.environ.get("TF_DEVICE_FOR_UNINITIALIZED_VARIABLE_REPORTING", "/cpu:0")
        with device(where):
            if not variables:
                return ops.constant([], dtype=dtypes.string)
            uninitialized = ops.logical_not(ops.stack(states))
            names = ops.constant([v.op.name for v in variables])
            return ops.boolean_mask(names, uninitialized)


def _to_proto(variable: Any, export_scope: str | None = None) -> Any:
    return variable.to_proto(export_scope=export_scope)


def _from_proto(variable_def: Any, import_scope: str | None = None) -> Any:
    variable_class: Any = ResourceVariable if variable_def.is_resource else RefVariable
    return variable_class.from_proto(variable_def, import_scope=import_scope)


for _key in (
    GraphKeys.GLOBAL_VARIABLES,
    GraphKeys.TRAINABLE_VARIABLES,
    GraphKeys.MOVING_AVERAGE_VARIABLES,
    GraphKeys.LOCAL_VARIABLES,
    GraphKeys.MODEL_VARIABLES,
    GraphKeys.GLOBAL_STEP,
    GraphKeys.METRIC_VARIABLES,
):
    register_proto_function(_key, "VariableDef", _to_proto, _from_proto)
