"""Permutation of axes: Transpose and InvertPermutation."""

from __future__ import annotations

from typing import Any

import numpy as np

from tfmini._src.base.errors import InvalidArgumentError, invalid
from tfmini._src.graph.opdef import op, public, raw
from tfmini._src.graph.scopes import name_scope
from tfmini._src.graph.shape_inference import (
    Dims,
    InferenceError,
    input_value,
    unknown_dims,
    with_rank,
)
from tfmini._src.graph.tensor import Tensor, TensorLike
from tfmini._src.ops import ops
from tfmini._src.ops.operands import ANY, INDEX32, dense, shape_text


def _transpose(xp: Any, x: Any, perm: Any) -> Any:
    if x.__class__ is bytes and perm.shape == (0,):
        return x
    if x.__class__ is bytes or perm.ndim != 1 or (perm.size and perm.min() < 0):
        x = dense(x)
        invalid(_problem(x.ndim, perm))
    try:
        return x.transpose(perm.tolist())
    except ValueError:
        raise InvalidArgumentError(None, None, _problem(x.ndim, perm)) from None


def _problem(rank: int, perm: np.ndarray) -> str:
    if perm.ndim != 1:
        return f"perm must be a vector, not {shape_text(perm.shape)}"
    if perm.size != rank:
        message = f"input(1) is a vector of size {perm.size}"
        return f"transpose expects a vector of size {rank}. But {message}"
    order = perm.tolist()
    for axis in order:
        if not 0 <= axis < rank:
            return f"{axis} is out of range [0 .. {rank})"
    missing = next(axis for axis in range(rank) if axis not in order)
    return f"{missing} is missing from {{{','.join(map(str, order))}}}."


@op(
    "Transpose",
    "x: T, perm: Tperm -> y: T",
    view=True,
    static_inputs=("perm",),
    T=ANY,
    Tperm=INDEX32,
)
def transpose_op(xp, x, perm):
    return _transpose(xp, x, perm)


@transpose_op.gradient
def _(op, grad):
    return ops.transpose(grad, raw.InvertPermutation(op.inputs[1])), None


@transpose_op.bind
def _(ctx):
    dims, perm = ctx.dims[0], ctx.constants.get("perm")
    if not dims or perm is None or sorted(np.ravel(perm).tolist()) != list(range(len(dims))):
        return None
    order = tuple(np.ravel(perm).tolist())
    return lambda x, perm: x.transpose(order)


def _keeps_order(x: Any, perm: Any) -> bool:
    """Whether a permutation preserves memory order because it only moves size-1 axes."""
    shape = np.shape(x)
    nontrivial_axes = [axis for axis in perm.tolist() if shape[axis] != 1]
    return nontrivial_axes == sorted(nontrivial_axes)


transpose_op.forwards(y="x", view=True, when=_keeps_order)


@op(
    "ConjugateTranspose", "x: T, perm: Tperm -> y: T", static_inputs=("perm",), T=ANY, Tperm=INDEX32
)
def conjugate_transpose(xp, x, perm):
    transposed = _transpose(xp, x, perm)
    return xp.conj(transposed) if x.dtype.kind == "c" else transposed.copy()


def _infer_shape(op: Any) -> Dims:
    dims, perm_dims = op.inputs[0]._dims, op.inputs[1]._dims
    if dims is not None:
        rank = len(dims)
    elif perm_dims is not None and None not in perm_dims:
        rank = int(np.prod(perm_dims))
    else:
        return None
    if dims is None and rank < 2:
        return None
    dims = with_rank(dims, rank)
    length = with_rank(perm_dims, 1)[0]
    if length not in (None, rank):
        raise InferenceError(f"Dimension must be {rank} but is {length}")
    perm = input_value(op, 1)
    if perm is None:
        return unknown_dims(rank)
    for axis in perm.tolist():
        if axis >= rank:
            raise InferenceError(f"perm dim {axis} is out of range of input rank {rank}")
    return tuple([dims[axis] if axis >= -rank else None for axis in perm.tolist()])


transpose_op.infer(_infer_shape)
conjugate_transpose.infer(_infer_shape)


@conjugate_transpose.gradient
def _(op, grad):
    return ops.transpose(grad, raw.InvertPermutation(op.inputs[1]), conjugate=True), None


@public
def transpose(
    a: Any, perm: TensorLike | None = None, name: str | None = "transpose", conjugate: bool = False
) -> Tensor:
    """Permutes the axes of `a`.

    Args:
      a: a tensor.
      perm: integer vector; axis i of the result is axis `perm[i]` of `a`. By default, the axes are reversed.
      conjugate: whether to also conjugate complex elements.

    Raises:
      ValueError, InvalidArgumentError (when run): if `perm` is not a permutation of the axes.

    Example: `tf.transpose(images, [0, 3, 1, 2])` converts NHWC to NCHW.
    """
    with name_scope(name, "transpose", [a]) as name:
        transposer = raw.ConjugateTranspose if conjugate and a.dtype.is_complex else raw.Transpose
        if perm is not None:
            return transposer(a, perm, name=name)
        a = ops.convert_to_tensor(a, name="a")
        if a._dims:
            perm = np.arange(len(a._dims) - 1, -1, -1)
        else:
            rank = raw.Rank(a)
            perm = (rank - 1) - raw.Range(0, rank, 1)
        result = transposer(a, perm, name=name)
        if a._dims is not None:
            result.set_shape(a._dims[::-1])
        return result


@public
def matrix_transpose(
    a: TensorLike, name: str = "matrix_transpose", conjugate: bool = False
) -> Tensor:
    """Transposes each matrix in a batch by swapping the last two axes.

    Args:
      a: a tensor of rank 2 or more.
      conjugate: whether to also conjugate complex elements.

    Raises:
      ValueError: if the rank is less than 2.
    """
    with name_scope(name, values=[a]):
        a = ops.convert_to_tensor(a, name="a")
        dims = a._dims
        if dims is None:
            rank = ops.rank(a)
            perm: Any = ops.concat((raw.Range(0, rank - 2, 1), [rank - 1, rank - 2]), 0)
        elif len(dims) < 2:
            raise ValueError(
                f"Argument 'a' should be a (batch) matrix, with rank >= 2.  Found: {a.shape}"
            )
        else:
            perm = [*range(len(dims) - 2), len(dims) - 1, len(dims) - 2]
        return transpose(a, perm=perm, conjugate=conjugate)


_MAX_LOOP_AXES = 32  # for which a loop is faster than NumPy's functions


@op("InvertPermutation", "x: T -> y: T", differentiable=False, static_inputs=("x",), T=INDEX32)
def invert_permutation_op(xp, x):
    if x.ndim != 1:
        invalid("invert_permutation expects a 1D vector.")
    result = np.full(x.size, -1, x.dtype)
    if x.size > _MAX_LOOP_AXES and x.min() >= 0 and x.max() < x.size:
        result[x] = np.arange(x.size)
        if result.min() >= 0:
            return result
        result.fill(-1)
    for position, value in enumerate(x.tolist()):
        if not 0 <= value < x.size:
            invalid(f"{value} is not between 0 and {x.size}")
        if result[value] != -1:
            invalid(f"{value} is duplicated in the input.")
        result[value] = position
    return result


invert_permutation_op.infer(lambda op: with_rank(op.inputs[0]._dims, 1))


@public
def invert_permutation(x: TensorLike, name: str | None = None) -> Tensor:
    """Returns the inverse permutation y, for which `y[x[i]] = i`.

    Args:
      x: integer vector that contains each number from 0 to n - 1 once.
    """
    return raw.InvertPermutation(x, name=name)


def rotate(x: Tensor, shift: Any) -> Tensor:
    """Rotates the axes of `x` to the right: the last `shift` axes become the first."""
    with name_scope("rotate_transpose", values=[x, shift]):
        x = ops.convert_to_tensor(x, name="x")
        shift = ops.convert_to_tensor(shift, name="shift")
        ops.assert_integer(shift)
        rank = x.shape.ndims
        if rank is not None:
            if rank < 2 or ops.get_static_value(shift) % rank == 0:
                return x
            return ops.transpose(x, perm=np.roll(np.arange(rank), ops.get_static_value(shift)))
        total = ops.rank(x)
        is_left = ops.less(shift, 0)
        leftward = ops.mod(-shift, total)
        start = ops.where_v2(is_left, leftward, total - ops.mod(shift, total))
        first = ops.range(0, start)
        return ops.transpose(x, perm=ops.concat([ops.range(start, total), first], 0))
