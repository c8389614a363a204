"""Resource variables that are initialized only by restoring them."""

from __future__ import annotations

from typing import Any

from tfmini._src.base import dtypes
from tfmini._src.base.shapes import as_shape
from tfmini._src.graph.default_graph import get_default_graph
from tfmini._src.graph.eager.execution_mode import executing_eagerly
from tfmini._src.graph.graph_keys import GraphKeys
from tfmini._src.graph.scopes import device, name_scope
from tfmini._src.ops import raw
from tfmini._src.variables.copy_modes import checked_modes
from tfmini._src.variables.init_scope import init_scope
from tfmini._src.variables.resource_variable import BaseResourceVariable
from tfmini._src.variables.variable_handle import make_handle


class UninitializedVariable(BaseResourceVariable):
    """A variable without an initial value, to be restored; arguments are as in `tf.Variable`."""

    def __init__(
        self,
        shape: Any,
        dtype: Any,
        name: str | None = None,
        trainable: bool | None = None,
        constraint: Any = None,
        synchronization: Any = None,
        aggregation: Any = None,
    ):
        self._synchronization, self._aggregation, self._trainable = checked_modes(
            synchronization, aggregation, trainable, name
        )
        self._constraint = constraint
        self._shape, self._dtype = as_shape(shape), dtypes.as_dtype(dtype)
        self._initial_value = self._initializer_op = None
        with init_scope(), name_scope(name, "Variable") as scope:
            if executing_eagerly():
                self._make_handle(scope)
                return
            handle_name = scope.removesuffix("/")
            self._handle = make_handle(self._shape, self._dtype, handle_name, scope)
            self._handle_name = self._unique_id = f"{handle_name}:0"
            with name_scope("Read"), device(self._handle.device):
                self._graph_element = raw.ReadVariableOp(self._handle, dtype=self._dtype)
            get_default_graph().add_to_collection(GraphKeys.GLOBAL_VARIABLES, self)
