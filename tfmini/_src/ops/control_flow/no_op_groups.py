"""NoOp and functions based on it: operation groups, and control dependencies between tensors."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from tfmini._src.base.nest.structure import flatten, map_structure
from tfmini._src.graph.composite_values import IndexedSlices
from tfmini._src.graph.convert_to_tensor import internal_convert_to_tensor_or_indexed_slices
from tfmini._src.graph.eager.execution_mode import executing_eagerly
from tfmini._src.graph.is_tensor import is_tensor
from tfmini._src.graph.opdef import op, public, raw
from tfmini._src.graph.operation import Operation
from tfmini._src.graph.scopes import colocate_with, control_dependencies, device, name_scope
from tfmini._src.graph.tensor import Tensor
from tfmini._src.ops import ops
from tfmini._src.ops.control_flow.switch_merge import tensor_or_composite


@op("NoOp", "->", infer=lambda op: [])
def no_op_op(xp):
    return ()


@op("ControlTrigger", "->", infer=lambda op: [])
def control_trigger_op(xp):
    return ()


@public
def no_op(name: str | None = None) -> Operation:
    """Returns an operation that does nothing, for use with control dependencies."""
    return raw.NoOp(name=name)


def composite_identity(data: Any, name: str | None = None) -> Any:
    """Passes `data`, or each component of a composite value, through an Identity that preserves references."""
    data = tensor_or_composite(data, as_ref=True)
    if not isinstance(data, Tensor):
        return map_structure(composite_identity, data, expand_composites=True)
    if data.dtype._is_ref_dtype:
        return raw.RefIdentity(data, name=name)
    return ops.identity(data, name=name)


@public
def with_dependencies(dependencies: Any, output_tensor: Any, name: str | None = None) -> Any:
    """Returns an Identity of `output_tensor`, or of the values of IndexedSlices, that runs after `dependencies`."""
    if executing_eagerly():
        return output_tensor
    values = [*dependencies, output_tensor]
    with (
        name_scope(name, "control_dependency", values) as name,
        colocate_with(_colocation_node(output_tensor)),
    ):
        with control_dependencies(dependencies):
            output = tensor_or_composite(output_tensor)
            if isinstance(output, Tensor):
                return composite_identity(output, name=name)
            return IndexedSlices(
                composite_identity(output.values, name=name), output.indices, output.dense_shape
            )


def _colocation_node(value: Any) -> Any:
    """Returns the node to colocate with for a value; a plain number is first converted to a constant."""
    if isinstance(value, Tensor | Operation) or hasattr(value, "handle"):
        return value
    return internal_convert_to_tensor_or_indexed_slices(value, as_ref=True).op


def _no_op_after(dependencies: list, device_name: str | None, name: str | None = None) -> Operation:
    with control_dependencies(dependencies):
        if device_name is None:
            return no_op(name=name)
        with device(device_name):
            return no_op(name=name)


@public
def group(*inputs: Any, **kwargs: Any) -> Operation:
    """Groups `inputs` into one operation that completes after all of them; None in eager mode.

    Args:
      *inputs: operations, tensors and nested structures of these.
      **kwargs: `name`, the name of the node.

    Returns:
      A NoOp with control dependencies, which lead through one NoOp per device if the inputs are on
      several devices. None in eager mode.

    Raises:
      ValueError: for an unknown keyword; TypeError: if an input is neither an operation nor a tensor.

    Example: `train = tf.group(train_generator, train_critic)`.
    """
    if executing_eagerly():
        return None  # type: ignore[return-value]  # eager: the ops have already run
    name = kwargs.pop("name", None)
    if kwargs:
        raise ValueError("Unknown keyword arguments: " + ", ".join(kwargs))
    with name_scope(name, "group_deps", inputs) as name:
        if not inputs:
            return no_op(name=name)
        tensors_by_device: dict[str | None, list] = {}
        for value in flatten(inputs, expand_composites=True):
            if not hasattr(value, "device"):
                raise TypeError(
                    f"Expected tf.group() expected Tensor arguments not '{value}' with type "
                    f"'{type(value)}'"
                )
            tensors_by_device.setdefault(value.device, []).append(value)
        if len(tensors_by_device) == 1:
            [(device_name, values)] = tensors_by_device.items()
            return _no_op_after(values, device_name, name)
        groups = [
            _no_op_after(tensors_by_device[device_name], device_name)
            for device_name in sorted(tensors_by_device, key=lambda d: d or "")
        ]
        with control_dependencies(groups):
            return no_op(name=name)


@public(name="tuple")
def synchronized_tuple(
    tensors: Sequence[Any], name: str | None = None, control_inputs: Sequence[Any] | None = None
) -> Any:
    """Returns the same tensors, each available only once all of them are computed.

    Args:
      tensors: a list of tensors, IndexedSlices, operations and None.
      control_inputs: additional operations and tensors to wait for.

    Returns:
      A list like `tensors`.

    Raises:
      ValueError: if all are None; TypeError: if a control input is neither an Operation nor a Tensor.
    """
    if executing_eagerly():
        return tensors
    with name_scope(name, "tuple", tensors) as name:
        tensors = [
            t if t is None or isinstance(t, Operation) or is_tensor(t) else ops.convert_to_tensor(t)
            for t in tensors
        ]
        gating_ops = [t if isinstance(t, Operation) else t.op for t in tensors if t is not None]
        for control in control_inputs or ():
            if isinstance(control, Tensor):
                control = control.op
            elif not isinstance(control, Operation):
                raise TypeError(f"Control input must be Operation or Tensor: {control}")
            gating_ops.append(control)
        gating_ops = sorted(set(gating_ops), key=lambda op: op._id)
        if not gating_ops:
            raise ValueError(f"Must have at least one Tensor: {tensors}")
        gate = group(*gating_ops)
        results: list[Any] = []
        for value in tensors:
            if value is None:
                results.append(None)
            elif isinstance(value, Operation):
                with control_dependencies([gate]):
                    results.append(group(value))
            else:
                results.append(with_dependencies([gate], value))
        return results
