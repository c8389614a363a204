"""Placeholders for values that are fed to the graph."""

from __future__ import annotations

from typing import Any

from tfmini._src.base import dtypes
from tfmini._src.base.dtypes import DTypeLike
from tfmini._src.base.errors import InvalidArgumentError
from tfmini._src.base.shapes import as_shape
from tfmini._src.base.shapes.tensor_shape import ShapeLike
from tfmini._src.graph.composite_values import SparseTensor
from tfmini._src.graph.convert_to_tensor import (
    convert_to_tensor,
)
from tfmini._src.graph.eager.execution_mode import executing_eagerly
from tfmini._src.graph.opdef import Attr, op, public, raw
from tfmini._src.graph.shape_inference import InferenceError, merge, text
from tfmini._src.graph.tensor import Tensor, TensorLike
from tfmini._src.ops.operands import c_name


@op("Placeholder", "-> output: dtype", must_run=True, dtype=Attr("type"), shape=Attr("shape", None))
def placeholder_op(ctx, *, dtype, shape):
    expected = f" and shape {text(shape)}" if shape else ""
    raise InvalidArgumentError(
        None,
        ctx.op,
        f"You must feed a value for placeholder tensor '{ctx.op.name}' with dtype {c_name(dtype)}{expected}",
    )


placeholder_op.infer(lambda op: op.attrs["shape"])


@public
def placeholder(dtype: DTypeLike, shape: Any = None, name: str | None = None) -> Tensor:
    """Creates a tensor whose value must be fed: `session.run(y, feed_dict={x: value})`.

    Args:
      dtype: the dtype of the fed value.
      shape: the shape, with None for variable dimensions; any shape by default.
    """
    if executing_eagerly():
        raise RuntimeError("tf.placeholder() is not compatible with eager execution.")
    return raw.Placeholder(dtype=dtype, shape=shape, name=name)


@op(
    "PlaceholderWithDefault",
    "input: dtype -> output: dtype",
    gradient=lambda op, grad: grad,
    view=True,
    dtype=Attr("type"),
    shape=Attr("shape"),
)
def placeholder_with_default_op(xp, value):
    return value


placeholder_with_default_op.forwards(output="input")


@placeholder_with_default_op.infer
def _(op):
    input_dims, shape = op.inputs[0]._dims, op.attrs["shape"]
    if (
        input_dims is not None
        and shape is not None
        and not as_shape(input_dims).is_compatible_with(shape)
    ):
        merge(input_dims, shape)
        raise InferenceError(f"Shapes {text(input_dims)} and {text(shape)} are not compatible")
    return shape


@public
def placeholder_with_default(
    input: TensorLike, shape: ShapeLike, name: str | None = None
) -> Tensor:
    """Creates a placeholder that evaluates to `input` unless fed.

    Args:
      input: the default value.
      shape: the static shape of fed values, compatible with the shape of `input`.
    """
    return raw.PlaceholderWithDefault(input, shape=shape, name=name)


@public
def sparse_placeholder(dtype: Any, shape: Any = None, name: str | None = None) -> SparseTensor:
    """Creates a SparseTensor to be fed with a SparseTensorValue or an (indices, values, dense_shape) tuple.

    Args:
      dtype: the dtype of the fed values.
      shape: the dense shape, a tensor, or a sequence of sizes with None for unknown ones; any shape by default.
      name: the name prefix of the three placeholders.

    Example: `session.run(total, feed_dict={x: tf.SparseTensorValue([[0, 1]], [2.0], [3, 4])})`.
    """

    def part(label: str) -> str | None:
        return None if name is None else f"{name}/{label}"

    rank = None
    if shape is not None:
        rank = shape.shape[0] if isinstance(shape, Tensor) else len(shape)
        if isinstance(shape, Tensor) or None not in shape:
            shape = convert_to_tensor(shape, dtype=dtypes.int64, name=part("shape"))
        else:
            shape = None
    if shape is None:
        shape = placeholder(dtypes.int64, shape=[rank], name=part("shape"))
    values = placeholder(dtype, shape=[None], name=part("values"))
    indices = placeholder(dtypes.int64, shape=[None, rank], name=part("indices"))
    return SparseTensor(indices=indices, values=values, dense_shape=shape)
