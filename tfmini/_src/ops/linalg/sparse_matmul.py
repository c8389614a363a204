"""Products of mostly-zero matrices, computed as dense float32 products."""

from __future__ import annotations

from typing import Any

from tfmini._src.base import dtypes
from tfmini._src.base.errors import invalid
from tfmini._src.base.names.deprecation import deprecated
from tfmini._src.graph.eager.eager_tensor import EagerTensor
from tfmini._src.graph.opdef import Attr, op, public, raw
from tfmini._src.graph.tensor import Tensor, TensorLike
from tfmini._src.ops import ops
from tfmini._src.ops.linalg.matmul import SPARSE_MATMUL, matmul_op, product_shape
from tfmini._src.ops.operands import shape_text


@op(
    "SparseMatMul",
    "a: Ta, b: Tb -> product: float",
    long_running=True,
    infer=product_shape,
    transpose_a=False,
    transpose_b=False,
    a_is_sparse=False,
    b_is_sparse=False,
    Ta=Attr("type", dtypes.float32, allowed=SPARSE_MATMUL),
    Tb=Attr("type", dtypes.float32, allowed=SPARSE_MATMUL),
)
def sparse_matmul_op(xp, a, b, *, transpose_a, transpose_b):
    for name, matrix in (("a", a), ("b", b)):
        if matrix.ndim != 2:
            invalid(f"{name} is not a matrix")
    if a.shape[0 if transpose_a else 1] != b.shape[1 if transpose_b else 0]:
        shapes = f"a: {shape_text(a.shape)}, b: {shape_text(b.shape)}"
        invalid(f"Matrix size incompatible: {shapes}")
    a, b = a.astype("f", copy=False), b.astype("f", copy=False)
    return matmul_op.kernel(xp, a, b, transpose_a=transpose_a, transpose_b=transpose_b)


@sparse_matmul_op.gradient
def _(op, grad):
    a, b = op.inputs
    sparse = {
        id(a): op.attrs["a_is_sparse"],
        id(b): op.attrs["b_is_sparse"],
        id(grad): not isinstance(grad, EagerTensor) and grad.op.type == "ReluGrad",
    }

    def product(x, y, dtype, transpose_a=False, transpose_b=False):
        x_is_sparse, y_is_sparse = sparse[id(x)], sparse[id(y)]
        if transpose_b:
            y = ops.transpose(y)
        result = ops.matmul(
            x, y, transpose_a=transpose_a, a_is_sparse=x_is_sparse, b_is_sparse=y_is_sparse
        )
        return result if result.dtype == dtype else ops.cast(result, dtype)

    if not op.attrs["transpose_a"]:
        if not op.attrs["transpose_b"]:
            a_grad = product(grad, b, a.dtype, transpose_b=True)
            return a_grad, product(a, grad, b.dtype, transpose_a=True)
        return product(grad, b, a.dtype), product(grad, a, b.dtype, transpose_a=True)
    if not op.attrs["transpose_b"]:
        return product(b, grad, a.dtype, transpose_b=True), product(a, grad, b.dtype)
    both = {"transpose_a": True, "transpose_b": True}
    return product(b, grad, a.dtype, **both), product(grad, a, b.dtype, **both)


@public
def sparse_matmul(
    a: TensorLike,
    b: TensorLike,
    transpose_a: bool = False,
    transpose_b: bool = False,
    a_is_sparse: bool = False,
    b_is_sparse: bool = False,
    name: str | None = None,
) -> Tensor:
    """Returns the float32 product of two mostly-zero float32 or bfloat16 matrices; see `tf.matmul`."""
    transposed = {"transpose_a": transpose_a, "transpose_b": transpose_b}
    sparse = {"a_is_sparse": a_is_sparse, "b_is_sparse": b_is_sparse}
    return raw.SparseMatMul(a, b, **transposed, **sparse, name=name)


# Called by tf.matmul: TensorFlow issues the deprecation warning there, not for a program's own calls.
@public
@deprecated(None, "Use `tf.linalg.matmul` instead")
def sparse_mat_mul(*args: Any, **kwargs: Any) -> Tensor:
    return sparse_matmul(*args, **kwargs)
