"""Elementwise ops on sparse tensors: arithmetic with dense tensors, maximum, minimum, softmax."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from tfmini._src.base import dtypes
from tfmini._src.base.errors import invalid
from tfmini._src.graph.composite_values import SparseTensor
from tfmini._src.graph.opdef import OpDef, op, public, raw
from tfmini._src.graph.scopes import name_scope
from tfmini._src.graph.shape_inference import Dims, with_rank
from tfmini._src.graph.tensor import Tensor, TensorLike
from tfmini._src.ops import ops
from tfmini._src.ops.math.division import TRUE_DIVISION
from tfmini._src.ops.operands import shape_text
from tfmini._src.ops.sparse.sparse_add import align_indices, check_counts, check_pair
from tfmini._src.ops.sparse.sparse_indices import all_in_bounds, check_operand, check_sizes, order
from tfmini._src.ops.type_lists import NUMBERS, REAL_NUMBERS, SINGLE_DOUBLE


def _quotient(xp: Any, a: Any, b: Any) -> Any:
    if a.dtype.kind not in "iu":
        return xp.divide(a, b)
    return (a - xp.fmod(a, b)) // b


def _cwise(name: str, function: Callable) -> OpDef:
    """Declares an op that combines elements of a sparse tensor with elements of a dense tensor at the same indices."""

    def kernel(xp, positions, values, shape, dense):
        check_operand("sp", positions, values, shape)
        sizes = tuple(shape.tolist())
        try:
            spread = np.broadcast_shapes(sizes, dense.shape) == sizes
        except ValueError:
            spread = False
        if not spread:
            invalid(
                "SparseDenseBinaryOpShared broadcasts dense to sparse only; got incompatible "
                f"shapes: {shape_text(sizes)} vs. {shape_text(dense.shape)}"
            )
        check_sizes(positions, values, shape)
        if not all_in_bounds(xp, positions, shape):
            invalid("Provided indices are out-of-bounds w.r.t. dense side with broadcasted shape")
        operand = xp.broadcast_to(dense, sizes)[tuple(positions.T)]
        return function(xp, values, operand)

    opdef = op(
        name,
        "sp_indices: int64, sp_values: T, sp_shape: int64, dense: T -> output: T",
        static_inputs=("sp_indices", "sp_shape"),
        T=NUMBERS,
    )(kernel)

    @opdef.infer
    def _(op) -> Dims:
        return (with_rank(op.inputs[0]._dims, 2)[0],)

    return opdef


cwise_add_op = _cwise("SparseDenseCwiseAdd", lambda xp, a, b: xp.add(a, b))
cwise_mul_op = _cwise("SparseDenseCwiseMul", lambda xp, a, b: xp.multiply(a, b))
cwise_div_op = _cwise("SparseDenseCwiseDiv", _quotient)


def sparse_dense_cwise_add(sp_t: SparseTensor, dense_t: TensorLike) -> SparseTensor:
    """Adds the elements of a dense tensor, broadcast to the shape of the sparse tensor, at the sparse indices."""
    values = raw.SparseDenseCwiseAdd(sp_t.indices, sp_t.values, sp_t.dense_shape, dense_t)
    return SparseTensor(sp_t.indices, values, sp_t.dense_shape)


def _register_missing_gradient(opdef: OpDef) -> None:
    """Registers a gradient that raises NotImplementedError, as in TensorFlow."""

    @opdef.gradient
    def _(op, *grads):
        raise NotImplementedError(f"Gradient for {opdef.name} is currently not implemented yet.")


_register_missing_gradient(cwise_add_op)


def _cwise_gradient(op: Any, grad: Any, is_product: bool) -> tuple:
    positions, values, shape, dense = op.inputs
    dense_shape = ops.cast(ops.shape(dense), dtypes.int64)
    missing = ops.expand_dims(ops.size(shape) - ops.size(dense_shape), 0)
    padded = ops.concat([ops.ones(missing, dtypes.int64), dense_shape], 0)
    scaled = positions // (shape // padded)
    scaled = ops.slice(scaled, ops.concat([[0], missing], 0), [-1, -1])
    operand = ops.gather_nd(dense, scaled)
    if is_product:
        values_grad = grad * operand
        parts = grad * values
    else:
        values_grad = grad / operand
        parts = grad * (-values / ops.square(operand))
    dense_grad = ops.sparse_add(ops.zeros_like(dense), SparseTensor(scaled, parts, dense_shape))
    return None, values_grad, None, dense_grad


@cwise_mul_op.gradient
def _(op, grad):
    return _cwise_gradient(op, grad, True)


@cwise_div_op.gradient
def _(op, grad):
    return _cwise_gradient(op, grad, False)


def _true_quotient(positions: Any, values: Any, shape: Any, y: Any, name: str) -> Tensor:
    with name_scope(name, "truediv", [positions, values, shape, y]) as name:
        values = ops.convert_to_tensor(values, name="sp_values")
        y = ops.convert_to_tensor(y, name="y")
        dtype = values.dtype.base_dtype
        if dtype not in TRUE_DIVISION:
            raise TypeError(f"Invalid dtype {dtype!r} in __truediv__")
        wide_dtype = TRUE_DIVISION[dtype]
        if wide_dtype is not None:
            values, y = ops.cast(values, wide_dtype), ops.cast(y, wide_dtype)
        return raw.SparseDenseCwiseDiv(positions, values, shape, y, name=name)


_OPERATORS: dict[str, Callable[..., Tensor]] = {
    "mul": lambda p, v, s, y, name: raw.SparseDenseCwiseMul(p, v, s, y, name=name),
    "div": lambda p, v, s, y, name: raw.SparseDenseCwiseDiv(p, v, s, y, name=name),
    "truediv": _true_quotient,
}


@public
def sparse_dense_operator(name: str, x: SparseTensor, y: TensorLike) -> SparseTensor:
    """Combines the elements of `x` with elements of a dense `y` by the operator "mul", "div" or "truediv"."""
    with name_scope(None, name, [x, y]) as scope:
        y = ops.convert_to_tensor(y, dtype=x.dtype.base_dtype, name="y")
        values = _OPERATORS[name](x.indices, x.values, x.dense_shape, y, scope)
        return SparseTensor(x.indices, values, x.dense_shape)


def _extreme(name: str, types: tuple, function: str) -> OpDef:
    def kernel(xp, a_indices, a_values, a_shape, b_indices, b_values, b_shape):
        for text, first, second, rank in (
            (
                "s a_indices and b_indices should be matrices but received shapes: {}, {}",
                a_indices,
                b_indices,
                2,
            ),
            (
                "s a_values and b_values should be vectors but received shapes: {} and {}",
                a_values,
                b_values,
                1,
            ),
            (" shapes should be a vector but received shapes {} and {}", a_shape, b_shape, 1),
        ):
            if first.ndim != rank or second.ndim != rank:
                invalid("Input" + text.format(shape_text(first.shape), shape_text(second.shape)))
        check_counts(a_indices, a_values, b_indices, b_values)
        check_pair(a_shape, b_shape)
        positions, a, b, _ = align_indices(xp, a_indices, a_values, b_indices, b_values)
        return positions, getattr(xp, function)(a, b)

    opdef = op(
        name,
        "a_indices: int64, a_values: T, a_shape: int64, b_indices: int64, b_values: T, b_shape: int64 "
        "-> output_indices: int64, output_values: T",
        static_inputs=("a_indices", "a_shape", "b_indices", "b_shape"),
        T=types,
    )(kernel)

    @opdef.infer
    def _(op) -> list[Dims]:
        for tensor, rank in zip(op.inputs, (2, 1, 1) * 2):
            with_rank(tensor._dims, rank)
        return [(None, None), (None,)]

    _register_missing_gradient(opdef)
    return opdef


maximum_op = _extreme("SparseSparseMaximum", REAL_NUMBERS, "maximum")
minimum_op = _extreme("SparseSparseMinimum", NUMBERS, "minimum")


def _sparse_extreme(
    op_name: str, a: SparseTensor, b: SparseTensor, name: str | None
) -> SparseTensor:
    op_name = f"SparseSparse{op_name}"
    with name_scope(name, op_name, [a.indices, a.values, b.indices, b.values]) as name:
        positions, values = getattr(raw, op_name)(
            a.indices, a.values, a.dense_shape, b.indices, b.values, b.dense_shape, name=name
        )
    return SparseTensor(positions, values, a.dense_shape)


def sparse_maximum(sp_a: SparseTensor, sp_b: SparseTensor, name: str | None = None) -> SparseTensor:
    """Returns the elementwise maximum of two SparseTensors of the same shape; missing elements count as 0.

    Args:
      sp_a: a SparseTensor.
      sp_b: a SparseTensor of the same shape and dtype.
    """
    return _sparse_extreme("Maximum", sp_a, sp_b, name)


@public
def sparse_minimum(sp_a: SparseTensor, sp_b: SparseTensor, name: str | None = None) -> SparseTensor:
    """Returns the elementwise minimum of two SparseTensors of the same shape; see `tf.sparse.maximum`."""
    return _sparse_extreme("Minimum", sp_a, sp_b, name)


@op(
    "SparseSoftmax",
    "sp_indices: int64, sp_values: T, sp_shape: int64 -> output: T",
    static_inputs=("sp_indices", "sp_shape"),
    T=SINGLE_DOUBLE,
)
def sparse_softmax_op(xp, positions, values, shape):
    check_operand("sp", positions, values, shape)
    if shape.size < 2:
        invalid(
            f"Input should have rank >= 2, but received shape: {' '.join(map(str, shape.tolist()))}"
        )
    check_sizes(positions, values, shape)
    if not values.size:
        return values
    sorting = order(xp, positions)
    if sorting is not None:  # the result keeps this order, as in TensorFlow
        positions, values = positions[sorting], values[sorting]
    starts = xp.ones(len(positions), bool)
    starts[1:] = (positions[1:, :-1] != positions[:-1, :-1]).any(axis=1)
    first = xp.flatnonzero(starts)
    row = xp.cumsum(starts) - 1
    powers = xp.exp(values - xp.maximum.reduceat(values, first)[row])
    return powers / xp.add.reduceat(powers, first)[row]


@sparse_softmax_op.infer
def _(op) -> Dims:
    with_rank(op.inputs[0]._dims, 2)
    values = with_rank(op.inputs[1]._dims, 1)
    with_rank(op.inputs[2]._dims, 1)
    return values


@sparse_softmax_op.gradient
def _(op, grad):
    positions, shape, result = op.inputs[0], op.inputs[2], op.outputs[0]
    output = SparseTensor(positions, result, shape)
    sp_grad = SparseTensor(positions, grad, shape)
    product = SparseTensor(positions, output.values * sp_grad.values, shape)
    total = -ops.sparse_reduce_sum(product, [-1], keepdims=True)
    values = raw.SparseDenseCwiseAdd(sp_grad.indices, sp_grad.values, sp_grad.dense_shape, total)
    shifted = SparseTensor(sp_grad.indices, values, sp_grad.dense_shape)
    return None, shifted.values * output.values, None


def sparse_softmax(sp_input: SparseTensor, name: str | None = None) -> SparseTensor:
    """Computes the softmax of each row (along the last axis) of a SparseTensor over its explicit elements.

    Args:
      sp_input: sorted float SparseTensor of rank 2 or more.

    Returns:
      A SparseTensor with the same indices.
    """
    with name_scope(name, "SparseSoftmax", [sp_input.indices, sp_input.values]) as name:
        values = raw.SparseSoftmax(sp_input.indices, sp_input.values, sp_input.dense_shape)
        return SparseTensor(sp_input.indices, values, sp_input.dense_shape)
