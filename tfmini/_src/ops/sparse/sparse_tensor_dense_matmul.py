"""Multiplication of sparse by dense matrices, with gradients of both operands."""

from __future__ import annotations

from typing import Any

import numpy as np

from tfmini._src.base import dtypes
from tfmini._src.base.dtypes import DTypeLike
from tfmini._src.base.errors import invalid
from tfmini._src.devices.cuda.gather_scatter import gather
from tfmini._src.devices.host.native.sparse_matmul import sparse_times
from tfmini._src.devices.numpy import scipy
from tfmini._src.devices.numpy.segment_reduce import reduce_rows
from tfmini._src.graph.composite_values import SparseTensor
from tfmini._src.graph.opdef import op, public, raw
from tfmini._src.graph.scopes import name_scope
from tfmini._src.graph.shape_inference import Dims, input_dims, merge_dim, unknown_dims, with_rank
from tfmini._src.graph.tensor import Tensor, TensorLike
from tfmini._src.ops import ops
from tfmini._src.ops.operands import ANY, INDEX64, shape_text
from tfmini._src.ops.sparse.sparse_indices import as_sparse

# Dtypes that scipy's sparse products compute in their own precision.
_COMPILED_DTYPES = "fdFDil"


@op(
    "SparseTensorDenseMatMul",
    "a_indices: Tindices, a_values: T, a_shape: int64, b: T -> product: T",
    long_running=True,
    host_or_cuda=True,
    static_inputs=("a_shape",),
    T=ANY,
    Tindices=INDEX64,
    adjoint_a=False,
    adjoint_b=False,
)
def sparse_tensor_dense_matmul_op(xp, positions, values, shape, b, *, adjoint_a, adjoint_b):
    _check_operands(positions, values, shape, b)
    rows, columns = shape.tolist()
    left, right = (1, 0) if adjoint_a else (0, 1)
    inner = rows if adjoint_a else columns
    height = columns if adjoint_a else rows
    if height < 0:  # TensorFlow aborts here
        invalid(f"Dimension {height} of A must be >= 0")
    inner_b = b.shape[1 if adjoint_b else 0]
    if inner != inner_b:
        invalid(
            "Cannot multiply A and B because inner dimension does not match: "
            f"{inner} vs. {inner_b}.  Did you forget a transpose?  Dimensions of A: "
            f"[{rows}, {columns}).  Dimensions of B: {shape_text(b.shape)}"
        )
    if xp is np and not adjoint_b:
        product = sparse_times(positions, values, b, height, adjoint_a)
        if product is not None:
            return product
    i, k = positions[:, left], positions[:, right]
    if xp is np:  # a GPU skips out-of-range indices: a check would synchronize
        is_outside = (i < 0) | (i >= height) | (k < 0) | (k >= inner)
        if is_outside.any():
            n = int(is_outside.argmax())
            if not 0 <= k[n] < inner:
                invalid(f"k ({k[n]}) from index[{n},{right}] out of bounds (>={inner})")
            invalid(f"m ({i[n]}) from index[{n},{left}] out of bounds (>={height})")
    if adjoint_b:  # only transposes `a`: TensorFlow's kernel does not conjugate it
        b = xp.conj(b).T
    if xp is np and values.dtype.char in _COMPILED_DTYPES:
        matrix = scipy.sparse.csr_matrix((values, (i, k)), (height, inner))
        return np.asarray(matrix @ b)
    gathered = b[k] if xp is np else gather(xp, b, k)
    return reduce_rows(xp, xp.add, values[:, None] * gathered, i, height, 0, is_sorted=False)


def _check_operands(positions: Any, values: Any, shape: Any, b: Any) -> None:
    for label, rank_name, rank, tensor in (
        ("b", "matrix", 2, b),
        ("a_shape", "vector", 1, shape),
    ):
        if tensor.ndim != rank:
            invalid(f"Tensor '{label}' is not a {rank_name}")
    if shape.size != 2:
        invalid("Tensor 'a_shape' must have 2 elements")
    if values.ndim != 1:
        invalid("Tensor 'a_values' is not a vector")
    if positions.ndim != 2:
        invalid("Tensor 'a_indices' is not a matrix")
    if len(positions) != len(values):
        invalid("Number of rows of a_indices does not match number of entries in a_values")
    if positions.shape[1] != 2:
        invalid("Number of columns of a_indices does not match number of entries in a_shape")


@sparse_tensor_dense_matmul_op.infer
def _(op) -> Dims:
    with_rank(op.inputs[0]._dims, 2)
    with_rank(op.inputs[1]._dims, 1)
    (rank,) = with_rank(op.inputs[2]._dims, 1)
    if rank is not None:
        with_rank(unknown_dims(rank), 2)  # fails before the shape's value is read
    b = with_rank(op.inputs[3]._dims, 2)
    a = with_rank(input_dims(op, 2), 2)
    height, inner = a[::-1] if op.attrs["adjoint_a"] else a
    inner_b, width = b[::-1] if op.attrs["adjoint_b"] else b
    merge_dim(inner, inner_b)
    return (height, width)


@sparse_tensor_dense_matmul_op.gradient
def _(op, grad):
    positions, values, shape, b = op.inputs
    adjoint_a, adjoint_b = op.attrs["adjoint_a"], op.attrs["adjoint_b"]
    if values.dtype.is_complex:
        raise NotImplementedError("SparseTensorDenseMatMul op does not support complex gradients.")
    b_grad = raw.SparseTensorDenseMatMul(positions, values, shape, grad, adjoint_a=not adjoint_a)
    if adjoint_b:
        b_grad = ops.transpose(b_grad)
    rows, columns = positions[:, 0], positions[:, 1]
    gathered_grad = ops.gather(grad, columns if adjoint_a else rows)
    gathered_b = ops.gather(ops.transpose(b) if adjoint_b else b, rows if adjoint_a else columns)
    return None, ops.reduce_sum(gathered_grad * gathered_b, axis=1), None, b_grad


@public
def sparse_tensor_dense_matmul(
    sp_a: TensorLike,
    b: TensorLike,
    adjoint_a: bool = False,
    adjoint_b: bool = False,
    name: str | None = None,
) -> Tensor:
    """Multiplies a sparse matrix by a dense matrix.

    Args:
      sp_a: SparseTensor [m, k].
      b: dense tensor [k, n] of the same dtype.
      adjoint_a: whether `sp_a` is [k, m], to be transposed (not conjugated, as in TensorFlow).
      adjoint_b: whether `b` is [n, k], to be transposed and conjugated.

    Returns:
      Tensor [m, n].

    Raises:
      ValueError, InvalidArgumentError (when run): if the sizes do not match, or an index is out of range.
    """
    sp_a = as_sparse(sp_a)
    with name_scope(name, "SparseTensorDenseMatMul", [sp_a.indices, sp_a.values, b]) as name:
        b = ops.convert_to_tensor(b, name="b")
        return raw.SparseTensorDenseMatMul(
            sp_a.indices, sp_a.values, sp_a.dense_shape, b, adjoint_a=adjoint_a, adjoint_b=adjoint_b
        )


def _int64(value: Any, name: str) -> Tensor:
    if isinstance(value, int | np.integer):
        return ops.convert_to_tensor(value, name=name, dtype=dtypes.int64)
    if not isinstance(value, Tensor):
        raise TypeError(f"{name} must be an integer value")
    return value if value.dtype == dtypes.int64 else ops.cast(value, dtypes.int64)


def sparse_eye(
    num_rows: TensorLike,
    num_columns: TensorLike | None = None,
    dtype: DTypeLike = dtypes.float32,
    name: str | None = None,
) -> SparseTensor:
    """Creates a sparse identity matrix.

    Args:
      num_rows: int or integer scalar tensor.
      num_columns: int or integer scalar tensor; by default `num_rows`.
      dtype: the dtype of the ones.

    Raises:
      TypeError: if a size is not an integer.
    """
    with name_scope(name, "eye", [num_rows, num_columns]):
        rows = _int64(num_rows, "num_rows")
        columns = rows if num_columns is None else _int64(num_columns, "num_columns")
        size = ops.minimum(rows, columns)
        diagonal = ops.range(size, dtype=dtypes.int64)
        positions = ops.stack([diagonal, diagonal], axis=1)
        return SparseTensor(positions, ops.ones(size, dtype=dtype), [rows, columns])
