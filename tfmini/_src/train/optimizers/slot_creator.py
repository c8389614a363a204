"""Slots: variables that an optimizer creates for each trained variable, named after it."""

from __future__ import annotations

from typing import Any

from tfmini._src.base.shapes import TensorShape
from tfmini._src.graph.replica_modes import colocated_with
from tfmini._src.ops import ops
from tfmini._src.variables.get_variable import get_variable, get_variable_scope
from tfmini._src.variables.initializers import Zeros
from tfmini._src.variables.ref_variable import RefVariable
from tfmini._src.variables.resource_variable import is_resource_variable
from tfmini._src.variables.variable import Variable
from tfmini._src.variables.variable_identity import node_name
from tfmini._src.variables.variable_scope import variable_scope


def _slot(primary: Any, value: Any, shape: Any, dtype: Any, validate_shape: bool) -> Any:
    """Creates an unpartitioned variable of the kind of `primary`, in the current scope."""
    scope = get_variable_scope()
    partitioner = scope.partitioner
    scope.set_partitioner(None)
    use_resource = None
    if is_resource_variable(primary):
        use_resource = True
    elif isinstance(primary, RefVariable):
        use_resource = False
    try:
        slot = get_variable(
            "",
            initializer=value,
            trainable=False,
            use_resource=use_resource,
            shape=shape if callable(value) else None,
            dtype=dtype,
            validate_shape=validate_shape,
        )
    finally:
        get_variable_scope().set_partitioner(partitioner)
    info = primary._save_slice_info if isinstance(primary, Variable) else None
    if info is not None:
        name = slot.name[len(node_name(primary) + "/") : -2]
        slot._set_save_slice_info(
            Variable.SaveSliceInfo(
                f"{info.full_name}/{name}",
                info.full_shape[:],
                info.var_offset[:],
                info.var_shape[:],
            )
        )
    return slot


def create_slot(primary: Any, val: Any, name: str, colocate_with_primary: bool = True) -> Any:
    """Returns a slot `PRIMARY/NAME` whose initial value is the tensor `val`.

    Args:
      primary: the variable or tensor to create the slot for.
      val: the initial value, which determines dtype and shape.
      name: the slot's name.
      colocate_with_primary: whether to place the slot on the device of `primary`.
    """
    validate_shape = val.shape.is_fully_defined()
    return _in_scope(primary, name, colocate_with_primary, val, None, None, validate_shape)


def create_slot_with_initializer(
    primary: Any,
    initializer: Any,
    shape: TensorShape,
    dtype: Any,
    name: str,
    colocate_with_primary: bool = True,
) -> Any:
    """Returns a slot `PRIMARY/NAME` of `shape` and `dtype`, initialized by `initializer`."""
    validate_shape = shape.is_fully_defined()
    return _in_scope(
        primary, name, colocate_with_primary, initializer, shape, dtype, validate_shape
    )


def create_zeros_slot(
    primary: Any, name: str, dtype: Any = None, colocate_with_primary: bool = True
) -> Any:
    """Returns a slot `PRIMARY/NAME` of zeros, with the shape and (by default) dtype of `primary`."""
    dtype = primary.dtype if dtype is None else dtype
    shape = primary.get_shape()
    if shape.is_fully_defined():
        zeros = Zeros()
        return create_slot_with_initializer(
            primary, zeros, shape, dtype, name, colocate_with_primary
        )
    value = primary.initialized_value() if isinstance(primary, Variable) else primary
    return create_slot(
        primary, ops.zeros(ops.shape(value), dtype=dtype), name, colocate_with_primary
    )


def _in_scope(
    primary: Any,
    name: str,
    is_colocated: bool,
    value: Any,
    shape: Any,
    dtype: Any,
    validate_shape: bool,
) -> Any:
    with variable_scope(None, f"{node_name(primary)}/{name}"):
        if not is_colocated:
            return _slot(primary, value, shape, dtype, validate_shape)
        with colocated_with(primary):
            return _slot(primary, value, shape, dtype, validate_shape)
