"""Const: values stored in the graph."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from tfmini._src.base import dtypes
from tfmini._src.base.shapes import Dimension, TensorShape, as_shape
from tfmini._src.graph.attributes import to_str
from tfmini._src.graph.convert_to_tensor import (
    register_tensor_conversion_function,
)
from tfmini._src.graph.default_graph import get_default_graph, graph_of_ops
from tfmini._src.graph.eager import execution_mode
from tfmini._src.graph.eager.eager_constant import eager_constant
from tfmini._src.graph.eager.execution_mode import executing_eagerly
from tfmini._src.graph.literals import check_fills, make_literal
from tfmini._src.graph.opdef import Attr, op, public
from tfmini._src.graph.shape_inference import InferenceError
from tfmini._src.graph.tensor import Tensor, TensorLike

if TYPE_CHECKING:
    from tfmini._src.base.dtypes import DTypeLike
    from tfmini._src.base.shapes.tensor_shape import ShapeLike


@op("Const", "-> output: dtype", differentiable=False, value=Attr("tensor"), dtype=Attr("type"))
def const(xp, *, value):
    return xp.asarray(value.array)


@const.infer
def _(op):
    value, dtype = op.attrs["value"], op.attrs["dtype"]
    if value.dtype is not dtype:
        actual, expected = value.dtype.proto_name, dtype.proto_name
        raise InferenceError(f"Type mismatch between value ({actual}) and dtype ({expected})")
    return value.shape


@public
def constant(
    value: TensorLike,
    dtype: DTypeLike | None = None,
    shape: ShapeLike | None = None,
    name: str = "Const",
    verify_shape: bool = False,
) -> Tensor:
    """Creates a constant tensor.

    Args:
      value: a number, string, numpy array or nested list.
      dtype: the dtype; by default float32 for Python floats and int32 for ints in its range.
      shape: the shape; a value with fewer elements is padded with the last one.
      verify_shape: whether to raise TypeError unless the value has exactly `shape`.

    Returns:
      A Tensor of `dtype` and `shape`.

    Raises:
      TypeError, ValueError: if the value does not fit the dtype or shape.

    Example: `tf.constant(-1.0, shape=[2, 3])`.
    """
    graph = graph_of_ops()
    if graph is None:
        result = eager_constant(value, dtype, shape, verify_shape)
        if not get_default_graph()._blocks.devices or execution_mode.place_tensor is None:
            return result
        placed: Tensor = execution_mode.place_tensor(result)
        return placed
    literal = make_literal(value, dtype, shape, verify_shape)
    name = "Const" if name is None else name
    name = name if name.__class__ is str else to_str(name)
    name = name[:-1] if name.endswith("/") else graph.unique_name(name)
    attrs = {"value": literal, "dtype": literal.dtype}
    output: Tensor = graph.add_node(const, name, (), None, attrs)._output_tensors
    return output


def filling_constant(
    value: Any, dtype: Any = None, shape: Any = None, name: str = "Const"
) -> Tensor:
    """`tf.compat.v2.constant`: repeats only single values; raises TypeError if several values do not fill `shape`."""
    if shape is not None and not executing_eagerly():
        check_fills(make_literal(value, dtype), tuple(as_shape(shape).as_list()))
    return constant(value, dtype, shape, name)


def _convert(
    value: Any, dtype: Any = None, name: str | None = None, as_ref: bool = False
) -> Tensor:
    return constant(value, dtype, name=name or "Const")


def _convert_shape(
    shape: TensorShape, dtype: Any = None, name: str | None = None, as_ref: bool = False
) -> Tensor:
    if not shape.is_fully_defined():
        raise ValueError(f"Cannot convert a partially known TensorShape to a Tensor: {shape}")
    large = next((d for d in shape.as_list() if d >= 2**31), 0)
    if dtype is None:
        dtype = dtypes.int64 if large else dtypes.int32
    elif dtype not in (dtypes.int32, dtypes.int64):
        raise TypeError(f"Cannot convert a TensorShape to dtype: {dtype}")
    elif dtype == dtypes.int32 and large:
        raise ValueError(
            f"Cannot convert a TensorShape to dtype int32; a dimension is too large ({large})"
        )
    return constant(shape.as_list(), dtype, name=name or "shape_as_tensor")


def _convert_dimension(
    dimension: Dimension, dtype: Any = None, name: str | None = None, as_ref: bool = False
) -> Tensor:
    if dimension.value is None:
        raise ValueError(f"Cannot convert an unknown Dimension to a Tensor: {dimension}")
    if dtype is not None and dtype not in (dtypes.int32, dtypes.int64):
        raise TypeError(f"Cannot convert a TensorShape to dtype: {dtype}")
    return constant(dimension.value, dtype or dtypes.int32, name=name or "shape_as_tensor")


register_tensor_conversion_function((list, tuple), _convert, 100)
register_tensor_conversion_function(object, _convert, 200)
register_tensor_conversion_function(TensorShape, _convert_shape, 100)
register_tensor_conversion_function(Dimension, _convert_dimension, 100)


def is_constant(tensor_or_op: Any) -> bool:
    """Whether the argument is a Const op or its output."""
    return getattr(tensor_or_op, "op", tensor_or_op).type == "Const"
