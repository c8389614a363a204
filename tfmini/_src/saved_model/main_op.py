"""`tf.saved_model.main_op`: operations to run when a SavedModel is loaded."""

from __future__ import annotations

from tfmini._src.base.names.deprecation import deprecated
from tfmini._src.graph.operation import Operation
from tfmini._src.graph.scopes import control_dependencies
from tfmini._src.ops import ops
from tfmini._src.ops.lookup.tables_initializer import tables_initializer
from tfmini._src.variables.collections import (
    global_variables_initializer,
    local_variables_initializer,
)


@deprecated(
    None,
    "This function will only be available through the v1 compatibility library as "
    "tf.compat.v1.saved_model.main_op.main_op.",
)
def main_op() -> Operation:
    """Returns an operation that initializes all global and local variables and all tables.

    Example: `builder.add_meta_graph_and_variables(..., main_op=tf.saved_model.main_op.main_op())`.
    """
    return _main_op()


def _main_op() -> Operation:
    variables = global_variables_initializer()
    local_variables = local_variables_initializer()
    return ops.group(variables, local_variables, tables_initializer())


@deprecated(
    None,
    "This function will only be available through the v1 compatibility library as "
    "tf.compat.v1.saved_model.main_op_with_restore or "
    "tf.compat.v1.saved_model.main_op.main_op_with_restore.",
)
def main_op_with_restore(restore_op_name: str) -> Operation:
    """Same as `main_op`, followed by a restore.

    Args:
      restore_op_name: name of the restore operation.
    """
    with control_dependencies([_main_op()]):
        return ops.group(restore_op_name)
