"""Values known at graph construction, for front-end functions.

Shape rules fold every value that the graph determines (`shape_inference.constant_value`). Functions that choose how
to compose a graph see fewer: constants, shapes and a few ops on them; a tensor whose value was used can no longer be
fed.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from tfmini._src.base.dtypes import DType
from tfmini._src.base.shapes import ShapeLike, TensorShape
from tfmini._src.graph.eager.eager_tensor import EagerTensor
from tfmini._src.graph.is_tensor import is_tensor
from tfmini._src.graph.operation import Operation
from tfmini._src.graph.public_functions import public
from tfmini._src.graph.tensor import Tensor


@public
def get_static_value(tensor: object, partial: bool = False) -> Any:
    """Returns the value of `tensor` if constants and static shapes determine it.

    A tensor with a known value can no longer be fed, as the graph may depend on it.

    Args:
      tensor: a tensor; non-tensors are returned unchanged.
      partial: whether the value of a Pack may contain None for unknown elements.

    Returns:
      A numpy array or scalar, or None if the value is unknown.
    """
    if not isinstance(tensor, Tensor):
        return None if is_tensor(tensor) else tensor
    if tensor.__class__ is EagerTensor:
        return tensor.numpy()
    value = _constant_value(tensor, partial)
    if value is not None:
        tensor.graph.prevent_feeding(tensor)
    if isinstance(value, np.ndarray) and not value.flags.writeable:
        return value.copy()  # callers may modify it, as in TensorFlow
    return value


@public
def static_shape(tensor: Tensor) -> TensorShape:
    """Returns the shape that `tensor` describes: an integer vector, as far as known, or scalar -1 if unknown."""
    if tensor._dims == ():
        size = get_static_value(tensor)
        value_text = "with unknown value" if size is None else f"value '{size}'"
        if size is None or size != -1:
            raise ValueError(
                f"Received a scalar {value_text} as shape; require a statically known scalar with value "
                "'-1' to describe an unknown shape."
            )
        return TensorShape(None)
    if tensor.__class__ is EagerTensor:
        sizes = tensor.numpy().tolist()
        return TensorShape([None if size == -1 else size for size in sizes])
    outer_tensor = tensor.__dict__.get("_captured_from")
    if outer_tensor is not None:
        return static_shape(outer_tensor)
    op = tensor.op
    op_type = op.type
    length = tensor.shape.with_rank(1).as_list()[0]
    if length == 0:
        return TensorShape([])
    if op_type == "Shape":
        return op.inputs[0].shape
    if op_type == "Pack":
        sizes = [get_static_value(size) for size in op.inputs]
        return TensorShape([None if n is None or n < 0 else int(n) for n in sizes])
    if op_type in ("Concat", "ConcatV2"):
        shape = TensorShape([])
        for part in op.inputs[1:] if op_type == "Concat" else op.inputs[:-1]:
            shape = shape.concatenate(static_shape(part))
        return shape
    if op_type == "StridedSlice":
        sliced = _sliced_shape(op)
        if sliced is not None:
            return sliced
    value = get_static_value(tensor)
    if value is None:
        return TensorShape(None if length is None else [None] * length)
    return TensorShape([size if size >= 0 else None for size in value.tolist()])


def narrow_captured_shape(tensor: Tensor, shape: object, suffix: ShapeLike = ()) -> Tensor:
    """Narrows a tensor's static shape in a function body by the known value of `shape` outside.

    Shape rules treat a captured tensor as a placeholder; this is for the ops where TensorFlow looks through it.

    Args:
      tensor: the result of an op with shape argument `shape`.
      shape: an integer vector; non-tensors leave `tensor` unchanged.
      suffix: static shape of the trailing axes.
    """
    if not isinstance(shape, Tensor) or tensor.__class__ is EagerTensor:
        return tensor
    if tensor.graph.building_function and not tensor.shape.is_fully_defined():
        tensor.set_shape(static_shape(shape).concatenate(suffix))
    return tensor


def _sliced_shape(op: Operation) -> TensorShape | None:
    """Returns the part of a described shape selected by a StridedSlice, if it is a plain slice."""
    bounds = [get_static_value(bound) for bound in op.inputs[1:4]]
    masks = op.attrs
    if any(bound is None for bound in bounds) or any(
        masks[name] for name in ("ellipsis_mask", "new_axis_mask", "shrink_axis_mask")
    ):
        return None
    begin, end, step = (int(bound[0]) for bound in bounds)
    shape = static_shape(op.inputs[0])
    if shape.ndims is None:
        return None
    part = slice(None if masks["begin_mask"] else begin, None if masks["end_mask"] else end, step)
    return TensorShape(shape.as_list()[part])


def _constant_value(tensor: Tensor, partial: bool) -> Any:
    op = tensor.op
    op_type = op.type
    if op_type == "Const":
        return op.attrs["value"].array
    if op_type in ("Shape", "Size", "Rank"):
        return _shape_value(op_type, op.inputs[0]._dims, tensor.dtype)
    if op_type == "Pack":
        if not op.inputs or op.attrs["axis"] != 0:
            return None
        values = [get_static_value(t, partial) for t in op.inputs]
        return None if not partial and any(v is None for v in values) else _stack_known(values)
    if op_type == "Fill":
        value = get_static_value(op.inputs[1])
        dims = tensor._dims
        if value is None or dims is None or None in dims:
            return None
        return np.full(dims, value, dtype=value.dtype)
    if op_type not in ("Range", "Cast", "Concat", "ConcatV2", "Equal", "NotEqual"):
        return None
    values = []
    for source in op.inputs:
        value = get_static_value(source)
        if value is None:
            return None
        values.append(value)
    return _compute(op_type, values, tensor.dtype)


def _stack_known(values: list[Any]) -> Any:
    """Stacks values into an array; an object array with None for unknown elements if only some are known."""
    if all(v is not None for v in values):
        return np.array(values)
    result = np.empty(len(values), object)
    result[:] = values
    return result


def _shape_value(op_type: str, dims: Any, dtype: DType) -> Any:
    if dims is None or (op_type != "Rank" and None in dims):
        return None
    if op_type == "Shape":
        return np.array(dims, dtype.as_numpy_dtype)
    return np.array(len(dims), np.int32) if op_type == "Rank" else np.prod(dims, dtype=np.int32)


def _compute(op_type: str, values: list[Any], dtype: DType) -> Any:
    if op_type == "Range":
        return np.arange(*values, dtype=dtype.as_numpy_dtype)
    if op_type == "Cast":
        return values[0].astype(dtype.as_numpy_dtype)
    if op_type == "Concat":
        return np.concatenate(values[1:], axis=values[0])
    if op_type == "ConcatV2":
        return np.concatenate(values[:-1], axis=values[-1])
    return np.equal(*values) if op_type == "Equal" else np.not_equal(*values)
