"""Conversion between sparse and dense tensors."""

from __future__ import annotations

import numpy as np

from tfmini._src.base import dtypes
from tfmini._src.base.errors import invalid
from tfmini._src.base.names.deprecation import deprecated
from tfmini._src.devices.host.native.gather import number_points
from tfmini._src.graph.composite_values import SparseTensor
from tfmini._src.graph.opdef import op, public, raw
from tfmini._src.graph.scopes import name_scope
from tfmini._src.graph.shape_inference import input_dims
from tfmini._src.graph.tensor import Tensor, TensorLike
from tfmini._src.ops import ops
from tfmini._src.ops.operands import ANY, INDEX, check_not_negative, dense, shape_text
from tfmini._src.ops.sparse.sparse_indices import all_in_bounds, as_sparse, check_order


@op(
    "SparseToDense",
    "sparse_indices: Tindices, output_shape: Tindices, sparse_values: T, default_value: T -> dense: T",
    infer=lambda op: input_dims(op, 1),
    static_inputs=("sparse_indices", "output_shape", "default_value"),
    validate_indices=True,
    T=ANY,
    Tindices=INDEX,
)
def sparse_to_dense_op(xp, positions, shape, values, default_value, *, validate_indices):
    values, default_value = dense(values), dense(default_value)
    if positions.ndim > 2:
        text = shape_text(positions.shape)
        invalid(f"sparse_indices should be a scalar, vector, or matrix, got shape {text}")
    positions = positions.reshape(-1, 1) if positions.ndim < 2 else positions
    count, rank = positions.shape
    if shape.ndim != 1:
        invalid(f"output_shape should be a vector, got shape {shape_text(shape.shape)}")
    if shape.size != rank:
        problem = "output_shape has incorrect number of elements"
        invalid(f"{problem}: {shape.size} should be: {rank}")
    if values.ndim and values.shape != (count,):
        text = shape_text(values.shape)
        invalid(f"sparse_values has incorrect shape {text}, should be [] or [{count}]")
    if default_value.ndim:
        invalid("default_value should be a scalar.")
    check_not_negative(shape.tolist())
    if validate_indices:
        check_order(xp, positions, shape)
    elif not all_in_bounds(np, positions, shape):
        text = shape_text(shape.tolist())
        invalid(f"Indices are not valid (out of bounds).  Shape: {text}")
    result = xp.empty(tuple(shape.tolist()), values.dtype)
    result[...] = default_value
    flat_indices = number_points(positions, result.shape) if xp is np and count else None
    if flat_indices is None:
        result[tuple(positions.T)] = values
    else:
        result.reshape(-1)[flat_indices] = values
    return result


@sparse_to_dense_op.gradient
def _(op, grad):
    positions, shape = op.inputs[:2]
    values_grad = ops.gather_nd(grad, positions)
    default_grad = ops.reduce_sum(grad) - ops.reduce_sum(values_grad)
    return ops.zeros_like(positions), ops.zeros_like(shape), values_grad, default_grad


@public
@deprecated(None, "Create a `tf.sparse.SparseTensor` and use `tf.sparse.to_dense` instead.")
def sparse_to_dense(
    sparse_indices: TensorLike,
    output_shape: TensorLike,
    sparse_values: TensorLike,
    default_value: TensorLike = 0,
    validate_indices: bool = True,
    name: str | None = None,
) -> Tensor:
    """Creates a dense tensor with values at the specified indices and a default value elsewhere.

    Args:
      sparse_indices: int32 or int64 tensor: one index into a vector (scalar), several ([n]), or
        indices into a tensor of any rank ([n, rank]).
      output_shape: [rank] vector of the same dtype.
      sparse_values: [n] tensor, or a scalar for all indices.
      default_value: scalar of the same dtype, for all other elements.
      validate_indices: whether to require sorted indices without repeats.

    Returns:
      A tensor with shape `output_shape` and the dtype of `sparse_values`.

    Raises:
      InvalidArgumentError (when run): if shapes do not match, or an index is out of range, unsorted or repeated.

    Example: `tf.sparse_to_dense([[0, 1], [1, 0]], [2, 2], 1)` is `[[0, 1], [1, 0]]`.
    """
    return raw.SparseToDense(**locals())


@public
def sparse_tensor_to_dense(
    sp_input: TensorLike,
    default_value: TensorLike | None = None,
    validate_indices: bool = True,
    name: str | None = None,
) -> Tensor:
    """Converts a SparseTensor to a dense tensor.

    Args:
      sp_input: a SparseTensor.
      default_value: scalar, the value of missing elements; zero by default.
      validate_indices: whether to require sorted indices without repeats.

    Raises:
      TypeError: if `sp_input` is not a SparseTensor.
      InvalidArgumentError (when run): if an index is out of range, unsorted or repeated.
    """
    sp_input = as_sparse(sp_input)
    if default_value is None:
        default_value = ops.zeros([], dtype=sp_input.dtype)
    return raw.SparseToDense(
        sp_input.indices,
        sp_input.dense_shape,
        sp_input.values,
        default_value=default_value,
        validate_indices=validate_indices,
        name=name,
    )


def from_dense(tensor: TensorLike, name: str | None = None) -> SparseTensor:
    """Converts a dense tensor to a SparseTensor of its nonzero elements.

    Args:
      tensor: a tensor.
    """
    with name_scope(name, "dense_to_sparse"):
        tensor = ops.convert_to_tensor(tensor)
        indices = ops.where_v2(ops.not_equal(tensor, ops.constant(0, tensor.dtype)))
        values = ops.gather_nd(tensor, indices)
        return SparseTensor(indices, values, ops.shape(tensor, out_type=dtypes.int64))


@public
def sparse_to_indicator(
    sp_input: TensorLike, vocab_size: TensorLike, name: str | None = None
) -> Tensor:
    """Converts ids to a bool tensor that marks the ids in each row.

    Args:
      sp_input: integer SparseTensor [..., n], the ids of each row, from 0 to vocab_size - 1.
      vocab_size: int or scalar tensor.

    Returns:
      bool Tensor [..., vocab_size].
    """
    sp_input = as_sparse(sp_input)
    with name_scope(name, "SparseToIndicator", [sp_input]) as name:
        count = ops.shape(sp_input.indices)[0]
        present = ops.fill(ops.expand_dims(count, 0), True)
        values = SparseTensor(sp_input.indices, present, sp_input.dense_shape)
        merged = ops.merge_sparse(sp_input, values, vocab_size, name)
        return sparse_tensor_to_dense(
            merged, default_value=False, validate_indices=False, name=name
        )
