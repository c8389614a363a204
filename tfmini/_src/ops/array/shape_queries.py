"""Shape, size and rank of a tensor, as constants if statically known."""

from __future__ import annotations

from typing import Any

import numpy as np

from tfmini._src.base import dtypes
from tfmini._src.base.dtypes import DTypeLike
from tfmini._src.graph.attributes import Literal
from tfmini._src.graph.composite_values import SparseTensor, SparseTensorValue
from tfmini._src.graph.default_graph import get_default_graph
from tfmini._src.graph.eager.eager_tensor import EagerTensor
from tfmini._src.graph.eager.execution_mode import executing_eagerly
from tfmini._src.graph.opdef import Attr, op, public, raw, registry
from tfmini._src.graph.scopes import name_scope
from tfmini._src.graph.shape_inference import Dims, scalar
from tfmini._src.graph.tensor import Tensor, TensorLike
from tfmini._src.ops import ops
from tfmini._src.ops.operands import ANY, INDEX32, dense
from tfmini._src.ops.ragged_dispatch import accepts_ragged


def _rank_vector(dims: Dims) -> Dims:
    return (None if dims is None else len(dims),)


@op(
    "Shape",
    "input: T -> output: out_type",
    infer=lambda op: _rank_vector(op.inputs[0]._dims),
    differentiable=False,
    depends_only_on_shapes=True,
    T=ANY,
    out_type=INDEX32,
)
def shape_op(xp, value, *, out_type):
    return np.array(np.shape(value), out_type.numpy)


@shape_op.bind
def _(ctx):
    if not ctx.dims[0]:
        return None
    dtype = ctx.attrs["out_type"].numpy
    return lambda value: np.array(value.shape, dtype)


@op(
    "ShapeN",
    "input: N*T -> output: N*out_type",
    infer=lambda op: [_rank_vector(t._dims) for t in op.inputs],
    differentiable=False,
    depends_only_on_shapes=True,
    N=Attr("int", minimum=1),
    T=ANY,
    out_type=INDEX32,
)
def shape_n_op(xp, values, *, out_type):
    return tuple([np.array(np.shape(value), out_type.numpy) for value in values])


@op(
    "Size",
    "input: T -> output: out_type",
    infer=scalar,
    differentiable=False,
    depends_only_on_shapes=True,
    T=ANY,
    out_type=INDEX32,
)
def size_op(xp, value, *, out_type):
    return out_type.numpy.type(dense(value).size)


@size_op.bind
def _(ctx):
    if not ctx.dims[0]:
        return None
    scalar_type = ctx.attrs["out_type"].numpy.type
    return lambda value: scalar_type(value.size)


@op(
    "Rank",
    "input: T -> output: int32",
    infer=scalar,
    differentiable=False,
    depends_only_on_shapes=True,
    T=ANY,
)
def rank_op(xp, value):
    return np.int32(dense(value).ndim)


def known_constant(value: Any, dtype: dtypes.DType, name: str) -> Tensor:
    """`ops.constant` for a value that does not need checks."""
    array = np.array(value, dtype.as_numpy_dtype)
    if executing_eagerly():
        return EagerTensor(array if array.ndim else array[()], dtype)
    array.flags.writeable = False
    graph = get_default_graph()
    name = name[:-1] if name[-1] == "/" else graph.unique_name(name)
    attrs = {"value": Literal(array, dtype), "dtype": dtype}
    return graph.add_node(registry["Const"], name, (), None, attrs).outputs[0]


@public
def shape_internal(
    input: TensorLike,
    name: str | None = None,
    optimize: bool = True,
    out_type: DTypeLike = dtypes.int32,
) -> Tensor:
    """Implements `tf.shape`; with `optimize`, returns a constant if the static shape is known."""
    graph = get_default_graph()
    # In a loop, the Identity nodes of control inputs are named below the node.
    is_plain = graph._control_flow_context is None or not graph._blocks.controls
    if name is None and is_plain and input.__class__ is Tensor and input.op.graph is graph:
        if optimize and input._dims is not None and None not in input._dims:
            return known_constant(input._dims, dtypes.as_dtype(out_type), "Shape")
        return raw.Shape(input, out_type=out_type)
    with name_scope(name, "Shape", [input]) as name:
        if isinstance(input, SparseTensor | SparseTensorValue):
            return raw.Cast(input.dense_shape, DstT=out_type)
        dims = ops.convert_to_tensor(input)._dims
        if optimize and dims is not None and None not in dims:
            return ops.constant(list(dims), out_type, name=name)
        return raw.Shape(input, name=name, out_type=out_type)


@public
def shape(input: TensorLike, name: str | None = None, out_type: DTypeLike = dtypes.int32) -> Tensor:
    """Returns the shape of a tensor as a vector.

    Args:
      input: a tensor or SparseTensor.
      out_type: int32 or int64.

    Returns:
      An integer vector; a constant if the static shape is fully known.

    Example: `tf.shape(images)[0]` is the batch size.
    """
    return shape_internal(input, name, True, out_type)


@public
def shape_n(
    input: TensorLike, out_type: DTypeLike = dtypes.int32, name: str | None = None
) -> list[Tensor]:
    """Returns the shapes of several tensors of the same dtype, using a single node.

    Args:
      input: a list of tensors.
      out_type: int32 or int64.
    """
    if not isinstance(input, list | tuple):
        raise TypeError(f"Expected list for 'input' argument to 'shape_n' Op, not {input!r}.")
    return raw.ShapeN(input, out_type=out_type, name=name)


def size_internal(
    input: Any, name: str | None = None, optimize: bool = True, out_type: Any = dtypes.int32
) -> Tensor:
    """Implements `tf.size`; with `optimize`, returns a constant if the static shape is known."""
    with name_scope(name, "Size", [input]) as name:
        if isinstance(input, SparseTensor | SparseTensorValue):
            return raw.Prod(raw.Cast(input.dense_shape, DstT=out_type), 0, name=name)
        dims: Any = ops.convert_to_tensor(input)._dims
        if optimize and dims is not None:
            if 0 in dims:
                return ops.constant(0, out_type, name=name)
            if None not in dims:
                return ops.constant(int(np.prod(dims, dtype=np.int64)), out_type, name=name)
        return raw.Size(input, name=name, out_type=out_type)


@public
@accepts_ragged("input")
def size(input: TensorLike, name: str | None = None, out_type: DTypeLike = dtypes.int32) -> Tensor:
    """Returns the number of elements of a tensor as a scalar.

    Args:
      input: a tensor or SparseTensor.
      out_type: int32 or int64.
    """
    return size_internal(input, name, True, out_type)


def rank_internal(input: Any, name: str | None = None, optimize: bool = True) -> Tensor:
    """Implements `tf.rank`; with `optimize`, returns a constant if the static rank is known."""
    with name_scope(name, "Rank", [input]) as name:
        if isinstance(input, SparseTensor | SparseTensorValue):
            return raw.Size(input.dense_shape, name=name)
        dims = ops.convert_to_tensor(input)._dims
        if optimize and dims is not None:
            return known_constant(len(dims), dtypes.int32, name)
        return raw.Rank(input, name=name)


@public
@accepts_ragged("input")
def rank(input: TensorLike, name: str | None = None) -> Tensor:
    """Returns the number of axes of a tensor as an int32 scalar.

    Args:
      input: a tensor or SparseTensor.
    """
    return rank_internal(input, name, True)
