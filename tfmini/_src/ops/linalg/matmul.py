"""Matrix products."""

from __future__ import annotations

import functools
import math
import operator
from collections.abc import Callable
from typing import Any

import numpy as np

from tfmini._src.base import dtypes
from tfmini._src.base.errors import invalid
from tfmini._src.devices.host.native.matmul import is_divided_unpacked
from tfmini._src.devices.numpy.blas import batch_product, is_large, product, product_without_packing
from tfmini._src.graph.opdef import op, public, raw
from tfmini._src.graph.public_functions import overridable
from tfmini._src.graph.scopes import name_scope
from tfmini._src.graph.shape_inference import (
    Dims,
    broadcast_dims,
    merge,
    merge_dim,
    with_rank,
    with_rank_at_least,
)
from tfmini._src.graph.tensor import Tensor, TensorLike
from tfmini._src.ops import ops
from tfmini._src.ops.operands import shape_text
from tfmini._src.ops.type_lists import SIGNED_COMPLEX


@op(
    "MatMul",
    "a: T, b: T -> product: T",
    long_running=True,
    transpose_a=False,
    transpose_b=False,
    T=SIGNED_COMPLEX,
)
def matmul_op(xp, a, b, *, transpose_a, transpose_b):
    _check_matrices(a, b, transpose_a, transpose_b)
    a, b = a.T if transpose_a else a, b.T if transpose_b else b
    if a.dtype.kind == "V":  # bfloat16, rounded toward zero
        return _truncate(xp.matmul(a.astype("f"), b.astype("f"))).view(a.dtype)
    return _multiply(xp, a, b)


def _truncate(x: Any) -> Any:
    """Truncates float32 numbers to their upper 16 bits."""
    return (x.view(np.uint32) >> 16).astype(np.uint16)


def _check_matrices(a: Any, b: Any, transpose_a: bool, transpose_b: bool) -> None:
    for position, matrix in enumerate((a, b)):
        if matrix.ndim != 2:
            invalid(
                f"In[{position}] is not a matrix. Instead it has shape {shape_text(matrix.shape)}",
            )
    if a.shape[0 if transpose_a else 1] != b.shape[1 if transpose_b else 0]:
        invalid(
            f"Matrix size-incompatible: In[0]: {shape_text(a.shape)}, In[1]: {shape_text(b.shape)}",
        )


@matmul_op.on_gpu
def _(gpu, a, b, *, transpose_a, transpose_b):
    _check_matrices(a, b, transpose_a, transpose_b)
    return gpu.products.multiply(a, b, transpose_a, transpose_b)


def _multiply(xp: Any, a: Any, b: Any) -> Any:
    """Returns `a @ b`.

    16-bit dtypes are multiplied as float32; on the CPU, large integer matrices as float64 where that is exact.
    """
    if a.dtype.itemsize == 2:
        return xp.matmul(a.astype("f"), b.astype("f")).astype(a.dtype)
    if xp is np and a.dtype.kind == "f":
        return product(a, b) if a.ndim == 2 == b.ndim else batch_product(a, b)
    if xp is np and a.dtype.kind == "i" and a.size and b.size and a.size >= _MIN_INTEGERS:
        largest = [max(int(x.max()), -int(x.min())) for x in (a, b)]
        # Exact in doubles, which BLAS multiplies.
        if largest[0] * largest[1] * a.shape[-1] <= _MAX_EXACT:
            return xp.matmul(a.astype("d"), b.astype("d")).astype(np.int64).astype(a.dtype)
    return xp.matmul(a, b)


# Maximum elements; largest integer up to which doubles are exact.
_MIN_INTEGERS, _MAX_EXACT = 1 << 9, 1 << 53


@matmul_op.infer
def product_shape(op: Any) -> Dims:
    """Returns the static shape of a matrix product."""
    a, b = with_rank(op.inputs[0]._dims, 2), with_rank(op.inputs[1]._dims, 2)
    if op.attrs["transpose_a"]:
        a = a[::-1]
    if op.attrs["transpose_b"]:
        b = b[::-1]
    merge_dim(a[1], b[0])
    return a[0], b[1]


@matmul_op.bind
def _(ctx):
    a, b = ctx.dims
    transpose_a, transpose_b = ctx.attrs["transpose_a"], ctx.attrs["transpose_b"]
    if a is None or b is None or ctx.attrs["T"].is_integer or ctx.attrs["T"].numpy.itemsize == 2:
        return None
    if len(a) != 2 or len(b) != 2:  # the kernel rejects it
        return None
    inner = a[0 if transpose_a else 1], b[1 if transpose_b else 0]
    if None in inner or inner[0] != inner[1]:
        return None
    # Known static shapes rule out errors.
    rows, columns = a[1 if transpose_a else 0], b[0 if transpose_b else 1]
    is_divided = rows is None or columns is None or is_large(rows, inner[0], columns)
    multiply: Callable
    if ctx.attrs["T"].is_floating and (is_divided or inner[0] == 1):
        multiply = product
    elif (
        ctx.attrs["T"] is dtypes.float32
        and not transpose_b
        and is_divided_unpacked(rows, inner[0], columns)
    ):
        multiply = product_without_packing
    else:  # for matrices but not vectors, `dot` returns the same bits in half the time
        multiply = operator.matmul if 1 in (rows, columns) else np.ndarray.dot
    return _transpose_arguments(multiply, transpose_a, transpose_b)


def _transpose_arguments(multiply: Callable, transpose_a: bool, transpose_b: bool) -> Callable:
    """Wraps `multiply` so that it transposes the matrices of its arguments as requested."""
    if transpose_a and transpose_b:
        return lambda a, b: multiply(a.mT, b.mT)
    if transpose_a:
        return lambda a, b: multiply(a.mT, b)
    if transpose_b:
        return lambda a, b: multiply(a, b.mT)
    return multiply


@matmul_op.gradient
def _(op, grad):
    # Inputs without requested gradients on a tape.
    skipped = getattr(op, "skip_input_indices", ())
    a = None if 1 in skipped else ops.conj(op.inputs[0])
    b = None if 0 in skipped and a is not None else ops.conj(op.inputs[1])
    transposes = op.attrs["transpose_a"], op.attrs["transpose_b"]
    first = None if b is None else _first_gradient(b, grad, *transposes)
    return first, None if a is None else _second_gradient(a, grad, *transposes)


def _first_gradient(b: Tensor, grad: Tensor, transpose_a: bool, transpose_b: bool) -> Tensor:
    if transpose_a:
        return raw.MatMul(b, grad, transpose_a=transpose_b, transpose_b=True)
    return raw.MatMul(grad, b, transpose_b=not transpose_b)


def _second_gradient(a: Tensor, grad: Tensor, transpose_a: bool, transpose_b: bool) -> Tensor:
    if transpose_b:
        return raw.MatMul(grad, a, transpose_a=True, transpose_b=transpose_a)
    return raw.MatMul(a, grad, transpose_a=not transpose_a)


def _check_batches(x: Any, y: Any, adj_x: bool, adj_y: bool) -> None:
    for position, matrix in enumerate((x, y)):
        if matrix.ndim < 2:
            invalid(f"In[{position}] ndims must be >= 2: {matrix.ndim}")
    columns, rows = x.shape[-2 if adj_x else -1], y.shape[-1 if adj_y else -2]
    if columns == rows and x.shape[:-2] == y.shape[:-2]:
        return
    shapes = f"{shape_text(x.shape)} {{}}{shape_text(y.shape)}"
    if any(m != n and 1 not in (m, n) for m, n in zip(x.shape[-3::-1], y.shape[-3::-1])):
        invalid(
            f"In[0] and In[1] must have compatible batch dimensions: {shapes.format('vs. ')}",
        )
    if columns != rows:
        invalid(
            f"In[0] mismatch In[1] shape: {columns} vs. {rows}: "
            f"{shapes.format('')} {int(adj_x)} {int(adj_y)}",
        )


def _batch_product(xp, x, y, *, adj_x, adj_y):
    _check_batches(x, y, adj_x, adj_y)
    left, right = _adjoint(xp, x) if adj_x else x, _adjoint(xp, y) if adj_y else y
    if right.ndim == 2 and left.ndim > 2 and left.flags.c_contiguous:  # one large product
        rows = left.shape[:-1]
        product = _multiply(xp, left.reshape(math.prod(rows), left.shape[-1]), right)
        return product.reshape(*rows, right.shape[-1])
    return _multiply(xp, left, right)


def _batch_product_on_gpu(gpu, x, y, *, adj_x, adj_y):
    """Returns the batch product using cuBLAS, which transposes on read and supports graph capture."""
    _check_batches(x, y, adj_x, adj_y)
    xp = gpu.xp
    if x.dtype.kind == "c":
        x, y = xp.conjugate(x) if adj_x else x, xp.conjugate(y) if adj_y else y
    if y.ndim == 2 and x.ndim > 2 and not adj_x:  # one large product
        flat = gpu.products.multiply(x.reshape(-1, x.shape[-1]), y, False, adj_y)
        return flat.reshape(*x.shape[:-1], flat.shape[-1])
    batch = np.broadcast_shapes(x.shape[:-2], y.shape[:-2])
    x, y = (
        m if m.shape[:-2] == batch else xp.broadcast_to(m, (*batch, *m.shape[-2:])) for m in (x, y)
    )
    return gpu.products.multiply(x, y, adj_x, adj_y)


def _adjoint(xp: Any, x: Any) -> Any:
    x = x.swapaxes(-1, -2)
    return xp.conjugate(x) if x.dtype.kind == "c" else x


def _batch_shape(op: Any) -> tuple[Dims, Dims, tuple]:
    """Returns the batch dimensions of both operands and the shape of the product."""
    x, y = (with_rank_at_least(t._dims, 2) for t in op.inputs)
    x_rows, x_columns = (None, None) if x is None else x[-2:]
    y_rows, y_columns = (None, None) if y is None else y[-2:]
    if op.attrs["adj_x"]:
        x_rows, x_columns = x_columns, x_rows
    if op.attrs["adj_y"]:
        y_rows, y_columns = y_columns, y_rows
    merge_dim(x_columns, y_rows)
    return None if x is None else x[:-2], None if y is None else y[:-2], (x_rows, y_columns)


def _check_equal_batches(x: Any, y: Any) -> None:
    if x.ndim != y.ndim:
        shapes = f"{shape_text(x.shape)} vs. {shape_text(y.shape)}"
        invalid(f"In[0] and In[1] has different ndims: {shapes}")
    if x.ndim < 2:
        invalid(f"In[0] and In[1] ndims must be >= 2: {x.ndim}")
    for i, (x_size, y_size) in enumerate(zip(x.shape[:-2], y.shape[:-2])):
        if x_size != y_size:
            invalid(
                f"In[0].dim({i}) and In[1].dim({i}) must be the same: "
                f"{shape_text(x.shape)} vs {shape_text(y.shape)}",
            )


def _equal_batch_product(xp, x, y, *, adj_x, adj_y):
    """Returns the product of batches of equal shape, which the older op requires."""
    _check_equal_batches(x, y)
    return _batch_product(xp, x, y, adj_x=adj_x, adj_y=adj_y)


def _equal_batch_product_on_gpu(gpu, x, y, *, adj_x, adj_y):
    _check_equal_batches(x, y)
    return _batch_product_on_gpu(gpu, x, y, adj_x=adj_x, adj_y=adj_y)


batch_matmul_op = op(
    "BatchMatMul",
    "x: T, y: T -> output: T",
    long_running=True,
    T=SIGNED_COMPLEX,
    adj_x=False,
    adj_y=False,
)(_equal_batch_product)
batch_matmul_op.on_gpu(_equal_batch_product_on_gpu)


@batch_matmul_op.infer
def _(op) -> Dims:
    x_batch, y_batch, matrix = _batch_shape(op)
    batch = merge(x_batch, y_batch)
    return None if batch is None else (*batch, *matrix)


batch_matmul_v2_op = op(
    "BatchMatMulV2",
    "x: T, y: T -> output: T",
    long_running=True,
    T=SIGNED_COMPLEX,
    adj_x=False,
    adj_y=False,
)(_batch_product)
batch_matmul_v2_op.on_gpu(_batch_product_on_gpu)


@batch_matmul_v2_op.bind
def _(ctx):
    """Returns a kernel for batches of equal shape that need no checks, or None for other batches."""
    x, y = ctx.dims
    adj_x, adj_y, dtype = ctx.attrs["adj_x"], ctx.attrs["adj_y"], ctx.attrs["T"].numpy
    if not ctx.has_static_shapes() or min(len(x), len(y)) < 3 or dtype.char not in "fd":
        return None
    if x[:-2] != y[:-2] or x[-2 if adj_x else -1] != y[-1 if adj_y else -2]:
        return None
    count, columns = math.prod(x), y[-2 if adj_y else -1]
    multiply = batch_product if is_large(count, 1, columns) else np.matmul
    return _transpose_arguments(multiply, adj_x, adj_y)


@batch_matmul_v2_op.infer
def _(op) -> Dims:
    x_batch, y_batch, matrix = _batch_shape(op)
    batch = broadcast_dims(x_batch, y_batch)
    return None if batch is None else (*batch, *matrix)


@batch_matmul_v2_op.gradient
def _(op, grad):
    x, y = op.inputs
    x_grad, y_grad = _batch_gradient(op, grad)
    if x.shape.is_fully_defined() and y.shape.is_fully_defined() and x.shape == y.shape:
        return x_grad, y_grad
    x_shape, y_shape = ops.shape(x), ops.shape(y)
    x_axes, y_axes = raw.BroadcastGradientArgs(x_shape[:-2], y_shape[:-2])
    x_grad = ops.reshape(ops.reduce_sum(x_grad, x_axes), x_shape)
    return x_grad, ops.reshape(ops.reduce_sum(y_grad, y_axes), y_shape)


@batch_matmul_op.gradient
def _batch_gradient(op: Any, grad: Any) -> tuple:
    x, y = op.inputs
    product = ops.matmul
    if not op.attrs["adj_x"]:
        if not op.attrs["adj_y"]:
            return product(grad, y, adjoint_b=True), product(x, grad, adjoint_a=True)
        return product(grad, y), product(grad, x, adjoint_a=True)
    if not op.attrs["adj_y"]:
        return product(y, grad, adjoint_b=True), product(x, grad)
    both = functools.partial(product, adjoint_a=True, adjoint_b=True)
    return both(y, grad), both(grad, x)


# Operand dtypes of the sparse matrix product.
SPARSE_MATMUL = (dtypes.float32, dtypes.bfloat16)


@public
@overridable
def matmul(
    a: TensorLike,
    b: TensorLike,
    transpose_a: bool = False,
    transpose_b: bool = False,
    adjoint_a: bool = False,
    adjoint_b: bool = False,
    a_is_sparse: bool = False,
    b_is_sparse: bool = False,
    name: str | None = None,
) -> Tensor:
    """Multiplies matrices, `a @ b`.

    Args:
      a: [..., m, k] tensor of a float, complex, int32 or int64 dtype.
      b: [..., k, n] tensor of the same dtype; the leading dimensions of `a` and `b` broadcast.
      transpose_a, transpose_b: whether to transpose the last two dimensions first.
      adjoint_a, adjoint_b: whether to transpose and conjugate first.
      a_is_sparse, b_is_sparse: hints that most elements of a float32 or bfloat16 matrix are 0.

    Returns:
      [..., m, n] Tensor of the same dtype.

    Raises:
      ValueError: if an operand is both transposed and adjoint, or the static shapes do not match.

    Example: `tf.matmul([[1, 2]], [[3], [4]])` is `[[11]]`.
    """
    with name_scope(name, "MatMul", [a, b]) as name:
        if transpose_a and adjoint_a:
            raise ValueError("Only one of transpose_a and adjoint_a can be True.")
        if transpose_b and adjoint_b:
            raise ValueError("Only one of transpose_b and adjoint_b can be True.")
        a = ops.convert_to_tensor(a, name="a")
        b = ops.convert_to_tensor(b, name="b")
        batches = any(t._dims is None or len(t._dims) > 2 for t in (a, b))
        if batches and not a_is_sparse and not b_is_sparse:
            # The batch op has no transpose: it uses the adjoint of the conjugate.
            if transpose_a:
                a, adjoint_a = ops.conj(a), True
            if transpose_b:
                b, adjoint_b = ops.conj(b), True
            return raw.BatchMatMulV2(a, b, adj_x=adjoint_a, adj_y=adjoint_b, name=name)
        if adjoint_a:
            a, transpose_a = ops.conj(a), True
        if adjoint_b:
            b, transpose_b = ops.conj(b), True
        transposed = {"transpose_a": transpose_a, "transpose_b": transpose_b}
        input_dtypes = (a.dtype, b.dtype)
        as_sparse = (a_is_sparse or b_is_sparse) and all(
            dtype in SPARSE_MATMUL for dtype in input_dtypes
        )
        is_mixed = dtypes.bfloat16 in input_dtypes and input_dtypes[0] != input_dtypes[1]
        if not as_sparse and not is_mixed:
            return raw.MatMul(a, b, **transposed, name=name)
        sparse = {"a_is_sparse": a_is_sparse, "b_is_sparse": b_is_sparse}
        product = ops.sparse_mat_mul(a, b, **transposed, **sparse, name=name)
        if input_dtypes == (dtypes.bfloat16, dtypes.bfloat16):
            return ops.cast(product, dtypes.bfloat16)
        return product


@public
def matvec(
    a: TensorLike,
    b: TensorLike,
    transpose_a: bool = False,
    adjoint_a: bool = False,
    a_is_sparse: bool = False,
    b_is_sparse: bool = False,
    name: str | None = None,
) -> Tensor:
    """Multiplies matrices by vectors: [..., m, k] times [..., k] yields [..., m]; see `tf.matmul`."""
    with name_scope(name, "MatVec", [a, b]) as name:
        product = ops.matmul(
            a,
            ops.expand_dims(b, axis=-1),
            transpose_a=transpose_a,
            adjoint_a=adjoint_a,
            a_is_sparse=a_is_sparse,
            b_is_sparse=b_is_sparse,
        )
        return ops.squeeze(product, axis=-1)
