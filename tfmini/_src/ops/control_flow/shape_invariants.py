"""Shape invariants of loop variables, and the check that the body preserves them."""

from __future__ import annotations

from typing import Any

from tfmini._src.base.nest.containers import is_composite
from tfmini._src.base.nest.structure import flatten
from tfmini._src.base.shapes import TensorShape, dimension_value, dims_allow, unknown_shape
from tfmini._src.graph.composite_values import (
    IndexedSlices,
    IndexedSlicesSpec,
    SparseTensorSpec,
)
from tfmini._src.graph.tensor import Tensor
from tfmini._src.graph.type_spec import TensorSpec, TypeSpec
from tfmini._src.ops.control_flow.loop_frames import next_iteration


def shape_invariant(var: Any, shape: Any = None) -> Any:
    """Returns the shape of `var` in all iterations, by default its current shape; a list for composite tensors."""
    if is_composite(var):
        spec = var._type_spec if shape is None else _invariant_spec(var, shape)
        return [part.shape for part in flatten(spec, expand_composites=True)]
    if shape is None:
        return var.shape
    if isinstance(shape, TensorSpec):
        if var.dtype != shape.dtype:
            raise TypeError(f"TensorSpec {shape!r} is not compatible with {var!r}")
        return shape.shape
    if isinstance(shape, TypeSpec):
        raise TypeError(f"TypeSpec {shape!r} is not compatible with {var!r}")
    return shape


def _invariant_spec(var: Any, shape: Any) -> TypeSpec:
    if isinstance(shape, TypeSpec):
        if not shape.is_compatible_with(var):
            raise TypeError(f"TypeSpec {shape!r} is not compatible with {var!r}")
        return shape
    if not isinstance(shape, TensorShape):
        raise TypeError(f"Expected shape to be a TypeSpec or TensorShape, got {shape!r}")
    if hasattr(var, "_shape_invariant_to_type_spec"):
        return var._shape_invariant_to_type_spec(shape)
    if isinstance(var, IndexedSlices):
        dense = None if var.dense_shape is None else var.dense_shape.dtype
        return IndexedSlicesSpec(shape, var.dtype, var.indices.dtype, dense, shape[:1])
    if shape.ndims is not None and shape.ndims != 1:
        raise ValueError("Expected a shape with 1 dimension")
    return SparseTensorSpec(unknown_shape(dimension_value(shape[0])), var.dtype)


def set_shape_invariants(inputs: list, enter_tensors: list, invariants: Any) -> None:
    """Sets the shapes of the tensors that enter a loop."""
    shapes = flatten(invariants)
    if not all(isinstance(shape, TensorShape) for shape in shapes):
        raise ValueError("`shapes` must be a (possibly nested) list of shapes.")
    for tensor, inner, shape in zip(inputs, enter_tensors, shapes):
        if not dims_allow(shape._dims, tensor.shape._dims):
            raise ValueError(
                f"The shape invariant specified for {tensor.name} is not compatible with the initial shape of "
                f"the loop variable. It enters the loop with shape {tensor.shape}, but the specified shape "
                f"invariant is {shape}."
            )
        inner.set_shape(shape)


def add_back_edge(merged: Tensor, value: Any) -> None:
    """Feeds `value` back to the loop variable `merged` for the next iteration."""
    next_value = next_iteration(value)
    if not dims_allow(merged.shape._dims, next_value.shape._dims):
        tensor = merged.op.inputs[0].op.inputs[0]
        raise ValueError(
            f"Input tensor '{tensor.name}' enters the loop with shape {tensor.shape}, but has shape "
            f"{next_value.shape} after one iteration. To allow the shape to vary across iterations, use the "
            "`shape_invariants` argument of tf.while_loop to specify a less-specific shape."
        )
    merged.op._update_input(1, next_value)
