"""Converts a Saver's items to SaveableObjects: variables of both kinds, partitions, tensors, tables."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import Any

from tfmini._src.graph.convert_to_tensor import internal_convert_to_tensor
from tfmini._src.graph.device_spec import DeviceSpec
from tfmini._src.graph.eager.execution_mode import executing_eagerly
from tfmini._src.graph.scopes import device
from tfmini._src.graph.tensor import Tensor
from tfmini._src.ops import ops, raw
from tfmini._src.variables.partitioned_variable import PartitionedVariable
from tfmini._src.variables.ref_variable import RefVariable
from tfmini._src.variables.resource_variable import BaseResourceVariable, is_resource_variable
from tfmini._src.variables.saveable import SaveableObject, SaveSpec
from tfmini._src.variables.trackable import VARIABLE_VALUE_KEY
from tfmini._src.variables.variable import Variable
from tfmini._src.variables.variable_identity import is_eager


def host_cpu(device_string: str | None) -> str:
    """Returns the first CPU on the host of a device."""
    spec = DeviceSpec.from_string(device_string or "")
    return spec.replace(device_type="CPU", device_index=0).to_string()


class ReferenceVariableSaveable(SaveableObject):
    """SaveableObject for a reference variable or its tensor."""

    def __init__(self, var: Any, slice_spec: str, name: str):
        super().__init__(var, [SaveSpec(var, slice_spec, name, dtype=var.dtype)], name)

    def restore(self, restored_tensors: Any, restored_shapes: Any) -> Any:
        (value,) = restored_tensors
        if restored_shapes is not None:
            value = ops.reshape(value, restored_shapes[0])
        checked = restored_shapes is None and self.op.get_shape().is_fully_defined()
        return ops.assign(self.op, value, validate_shape=checked)


class ResourceVariableSaveable(SaveableObject):
    """SaveableObject for a resource variable or a tensor that reads one."""

    def __init__(self, var: Any, slice_spec: str, name: str):
        self._device = var.device
        self._shape = var.shape
        tensor: Any
        if isinstance(var, Tensor):
            self.handle_op = var.op.inputs[0]
            tensor = var
        elif is_resource_variable(var):
            self.handle_op = var.handle

            def tensor() -> Tensor:
                with device(var.device):
                    value = var.read_value()
                    with device("/device:CPU:0"):
                        return ops.identity(value)
        else:
            raise ValueError(
                f"Saveable is neither a resource variable nor a read operation. Got: {var!r}"
            )
        spec = SaveSpec(tensor, slice_spec, name, dtype=var.dtype, device=var.device)
        super().__init__(var, [spec], name)

    def restore(self, restored_tensors: Any, restored_shapes: Any) -> Any:
        (value,) = restored_tensors
        if restored_shapes is not None:
            value = ops.reshape(value, restored_shapes[0])
        with device(self._device):
            value = ops.identity(value)
            self._shape.assert_is_compatible_with(value.shape)
            return raw.AssignVariableOp(self.handle_op, value)


def _variable_saveable(variable: Any, slice_spec: str, name: str) -> SaveableObject:
    if variable.op.opdef.outputs[0].is_ref:
        return ReferenceVariableSaveable(variable, slice_spec, name)
    return ResourceVariableSaveable(variable, slice_spec, name)


def to_saveables(item: Any, name: Any) -> Iterator[SaveableObject]:
    """Converts an item to SaveableObjects.

    Args:
      item: a variable, its tensor, a SaveableObject, or the partitions of a variable.
      name: the name in the checkpoint.

    Raises:
      TypeError, ValueError: for an unsupported item.
    """
    if not isinstance(name, str):
        raise TypeError(
            "names_to_saveables must be a dict mapping string names to trackable operations. Name is not a string: "
            f"{name}"
        )
    if isinstance(item, SaveableObject):
        yield item
    elif isinstance(item, list | tuple | PartitionedVariable):
        yield from _slice_saveables(list(item), name)
    elif _gathers(item):
        for attribute, factory in item._gather_saveables_for_checkpoint().items():
            full_name = name if attribute == VARIABLE_VALUE_KEY else f"{name}_{attribute}"
            result = factory(full_name) if callable(factory) else factory
            yield from to_saveables(result, result.name)
    elif isinstance(item, BaseResourceVariable):
        yield ResourceVariableSaveable(item if is_eager(item) else item._graph_element, "", name)
    else:
        tensor = internal_convert_to_tensor(item, as_ref=True)
        if not _is_variables(tensor):
            raise TypeError(
                "names_to_saveables must be a dict mapping string names to Tensors/Variables. "
                f"Not a variable: {tensor}"
            )
        yield _variable_saveable(tensor, "", name)


def _slice_saveables(parts: list, name: str) -> Iterator[SaveableObject]:
    full_name = None
    for part in parts:
        if not isinstance(part, Variable):
            raise ValueError(f"Slices must all be Variables: {part}")
        info = part._get_save_slice_info()
        if not info:
            raise ValueError(f"Slices must all be slices: {part}")
        if full_name is None:
            full_name = info.full_name
        elif full_name != info.full_name:
            raise ValueError(
                f"Slices must all be from the same tensor: {full_name} != {info.full_name}"
            )
        yield _variable_saveable(part, info.spec, name)


def _gathers(item: Any) -> bool:
    if isinstance(item, Variable) and not hasattr(item, "_acts_as_resource_variable"):
        return False
    return hasattr(item, "_gather_saveables_for_checkpoint")


def _is_variables(tensor: Any) -> bool:
    return isinstance(tensor, Tensor) and (
        tensor.op.opdef.makes_variable or tensor.op.type == "ReadVariableOp"
    )


def by_name(items: Any) -> dict[str, Any]:
    """Returns variables by name; the partitions of a variable are grouped under its full name."""
    if not isinstance(items, list | tuple | set):
        raise TypeError(f"Variables to save should be passed in a dict or a list: {items}")
    named: dict[str, Any] = {}
    for item in sorted(items, key=lambda item: item.name):
        if isinstance(item, SaveableObject):
            named[item.name] = item
        elif isinstance(item, PartitionedVariable):
            _name_once(named, item.name, item)
        elif isinstance(item, Variable) and item._get_save_slice_info():
            name = item._get_save_slice_info().full_name
            if not isinstance(named.setdefault(name, []), list):
                raise ValueError(f"Mixing slices and non-slices with the same name: {name}")
            named[name].append(item)
        elif _gathers(item) and not isinstance(item, BaseResourceVariable | RefVariable):
            results = [
                factory() if callable(factory) else factory
                for factory in item._gather_saveables_for_checkpoint().values()
            ]
            named.update(by_name(results))
        elif executing_eagerly():
            _add_eager_variable(named, item)
        else:
            if isinstance(item, BaseResourceVariable):
                tensor = item._graph_element
            else:
                tensor = internal_convert_to_tensor(item, as_ref=True)
            if not _is_variables(tensor):
                raise TypeError(f"Variable to save is not a Variable: {tensor}")
            reads = tensor.op.type == "ReadVariableOp"
            _name_once(named, (tensor.op.inputs[0].op if reads else tensor.op).name, tensor)
    return named


def _add_eager_variable(named: dict[str, Any], item: Any) -> None:
    if not isinstance(item, BaseResourceVariable):
        raise ValueError(
            "Can only save/restore ResourceVariables when eager execution is enabled, "
            f"type: {type(item)}."
        )
    if named.setdefault(item._shared_name, item) is not item:
        raise ValueError(
            f"Two different ResourceVariable objects with the same shared_name '{item._shared_name}' were passed to "
            "the Saver. This likely means that they were created in different Graphs or isolation contexts, and may "
            "not be checkpointed together."
        )


def _name_once(named: dict[str, Any], name: str, item: Any) -> None:
    if name in named:
        raise ValueError(f"At least two variables have the same name: {name}")
    named[name] = item


def checked_saveables(items: Any) -> list[SaveableObject]:
    """Converts a dict or list of variables to SaveableObjects, sorted by name.

    Raises:
      TypeError, ValueError: as in `to_saveables` and `by_name`, or for duplicates.
    """
    named: Any = items if isinstance(items, dict) else by_name(items)
    saveables: list[SaveableObject] = []
    seen: set[int] = set()
    for name, item in sorted(named.items(), key=lambda pair: pair[0]):
        for saveable in to_saveables(item, name):
            if id(saveable.op) in seen:
                raise ValueError(
                    f"The same saveable will be restored with two names: {saveable.name}"
                )
            saveables.append(saveable)
            seen.add(id(saveable.op))
    return saveables


def spec_names(saveables: Iterable[SaveableObject]) -> set[str]:
    """Returns the checkpoint names of all tensors in `saveables`."""
    return {spec.name for saveable in saveables for spec in saveable.specs}
