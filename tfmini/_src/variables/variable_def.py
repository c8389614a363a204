"""Resource variables restored from VariableDef protos."""

from __future__ import annotations

from typing import Any

from tfmini._src.base.shapes import TensorShape
from tfmini._src.graph.default_graph import get_default_graph
from tfmini._src.graph.prefixes import prepend_name_scope
from tfmini._src.variables.copy_modes import checked_modes
from tfmini._src.variables.save_slice_info import SaveSliceInfo


def take_nodes(variable: Any, variable_def: Any, import_scope: str | None) -> None:
    """Sets the nodes of a resource variable to those named in a VariableDef."""
    if not variable_def.is_resource:
        raise ValueError("Trying to restore Variable as ResourceVariable.")
    graph = get_default_graph()

    def element(name: str) -> Any:
        return graph.as_graph_element(prepend_name_scope(name, import_scope))

    variable._handle = element(variable_def.variable_name)
    variable._shape = TensorShape.from_dims(variable._handle.op.attrs["shape"])
    variable._dtype = variable._handle.op.attrs["dtype"]
    variable._handle_name = variable._unique_id = variable._handle.name
    variable._initializer_op = element(variable_def.initializer_name)
    name = variable_def.initial_value_name
    variable._initial_value = element(name) if name else None
    variable._synchronization, variable._aggregation, variable._trainable = checked_modes(
        variable_def.synchronization,
        variable_def.aggregation,
        variable_def.trainable,
        variable_def.variable_name,
    )
    snapshot = element(
        variable_def.snapshot_name or f"{variable._handle.op.name}/Read/ReadVariableOp:0"
    )
    if snapshot.op.type != "ReadVariableOp":
        variable._cached_value = snapshot
    while snapshot.op.type != "ReadVariableOp":
        snapshot = snapshot.op.inputs[0]
    variable._graph_element = snapshot
    if variable_def.HasField("save_slice_info_def"):
        variable._save_slice_info = SaveSliceInfo(
            save_slice_info_def=variable_def.save_slice_info_def, import_scope=import_scope
        )
