"""One GRU step as a single op, with its gradient.

    [r, u] = sigmoid([x, h_prev] @ w_ru + b_ru)
    c = tanh([x, r * h_prev] @ w_c + b_c)
    h = u * h_prev + (1 - u) * c

The cell is from Cho et al. (2014), http://arxiv.org/abs/1406.1078.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from tfmini._src.base.dtypes import float32
from tfmini._src.devices.concat import concatenate
from tfmini._src.devices.host.native.sequences import gru_cell
from tfmini._src.devices.numpy.blas import is_large, product
from tfmini._src.graph.opdef import op, raw
from tfmini._src.graph.shape_inference import Dims, with_rank
from tfmini._src.ops import ops
from tfmini._src.ops.nn.rnn.cell_blocks import (
    check_sizes,
    column_count,
    logistic,
    matrix_sizes,
    multiply,
)
from tfmini._src.ops.operands import row_count

_WEIGHTS = "w_ru: T, w_c: T, b_ru: T, b_c: T"


@op(
    "GRUBlockCell",
    f"x: T, h_prev: T, {_WEIGHTS} -> r: T, u: T, c: T, h: T",
    infer=lambda op: [_batch_and_units(op)] * 4,
    T=(float32,),
)
def gru_block_cell(xp, x, h_prev, w_ru, w_c, b_ru, b_c):
    _check_shapes(x, h_prev, w_ru, w_c, b_ru, b_c)
    if xp is np and (fast := gru_cell.step(product, x, h_prev, w_ru, w_c, b_ru, b_c)) is not None:
        return fast
    units = h_prev.shape[1]
    gates = multiply(xp, concatenate(xp, (x, h_prev), 1), w_ru)
    xp.add(gates, b_ru, out=gates)
    gates = logistic(xp, gates)
    r, u = xp.ascontiguousarray(gates[:, :units]), xp.ascontiguousarray(gates[:, units:])
    c = multiply(xp, concatenate(xp, (x, h_prev * r), 1), w_c)
    xp.add(c, b_c, out=c)
    xp.tanh(c, out=c)
    h = u * h_prev
    xp.add(h, (1 - u) * c, out=h)
    return r, u, c, h


gru_block_cell.bind(
    lambda ctx: _step_for_static_shapes(ctx, gru_cell.step_of_shape, gru_block_cell.kernel)
)


def _step_for_static_shapes(ctx: Any, step_of_shape: Callable, kernel: Callable) -> Callable | None:
    """Returns the native step for static input shapes; `kernel` handles other shapes."""
    sizes = _static_sizes(ctx)
    step = None if sizes is None else step_of_shape(*sizes)
    if step is None:
        return None
    shapes = list(ctx.dims)

    def checked_step(*inputs):
        if [array.shape for array in inputs] == shapes:
            return step(*inputs)
        return kernel(np, *inputs)

    return checked_step


def _static_sizes(ctx: Any) -> tuple[Callable, int, int, int] | None:
    """Returns the matrix product, batch size, and numbers of inputs and units; None unless known and valid."""
    if not ctx.has_static_shapes():
        return None
    x, h_prev, w_ru, w_c, b_ru, b_c, *states = ctx.dims
    if len(x) != 2 or len(h_prev) != 2 or x[0] != h_prev[0]:
        return None
    rows, units = x[1] + h_prev[1], h_prev[1]
    if (w_ru, w_c, b_ru, b_c) != ((rows, 2 * units), (rows, units), (2 * units,), (units,)):
        return None
    if any(state != h_prev for state in states):
        return None
    return product if is_large(x[0], rows, 2 * units) else np.ndarray.dot, *x, units


def _check_shapes(x: Any, h_prev: Any, w_ru: Any, w_c: Any, b_ru: Any, b_c: Any) -> None:
    """Checks that sizes match, in TensorFlow's order."""
    batch, units = row_count(x), column_count(h_prev)
    rows = column_count(x) + units
    shapes = h_prev.shape, w_ru.shape, w_c.shape, b_ru.shape, b_c.shape
    if shapes == ((batch, units), (rows, 2 * units), (rows, units), (2 * units,), (units,)):
        return
    check_sizes(
        [
            *matrix_sizes(h_prev, "h_prev", batch, units),
            (w_ru, 0, rows, "w_ru.dim_size(0) != input_size + cell_size"),
            (w_ru, 1, 2 * units, "w_ru.dim_size(1) != cell_size * 2"),
            (w_c, 0, rows, "w_c.dim_size(0) != input_size + cell_size"),
            (w_c, 1, units, "w_c.dim_size(1) != cell_size"),
            (b_ru, 0, 2 * units, "b_ru.dim_size(0) != cell_size * 2"),
            (b_c, 0, units, "b_c.dim_size(0) != cell_size"),
        ]
    )


def _batch_and_units(op: Any) -> tuple[int | None, int | None]:
    return with_rank(op.inputs[0]._dims, 2)[0], with_rank(op.inputs[1]._dims, 2)[1]


@gru_block_cell.gradient
def _(op, *grads):
    x, h_prev, w_ru, w_c, b_ru, b_c = op.inputs
    r, u, c, _ = op.outputs
    x_grad, h_prev_grad, c_grad, gates_grad = raw.GRUBlockCellGrad(
        x, h_prev, w_ru, w_c, b_ru, b_c, r, u, c, grads[3]
    )
    w_ru_grad = ops.matmul(ops.concat([x, h_prev], 1), gates_grad, transpose_a=True)
    b_ru_grad = raw.BiasAddGrad(gates_grad)
    w_c_grad = ops.matmul(ops.concat([x, h_prev * r], 1), c_grad, transpose_a=True)
    return x_grad, h_prev_grad, w_ru_grad, w_c_grad, b_ru_grad, raw.BiasAddGrad(c_grad)


@op(
    "GRUBlockCellGrad",
    f"x: T, h_prev: T, {_WEIGHTS}, r: T, u: T, c: T, d_h: T -> "
    "d_x: T, d_h_prev: T, d_c_bar: T, d_r_bar_u_bar: T",
    T=(float32,),
)
def gru_block_cell_grad(xp, x, h_prev, w_ru, w_c, b_ru, b_c, r, u, c, h_grad):
    _check_shapes(x, h_prev, w_ru, w_c, b_ru, b_c)
    batch, units, inputs = x.shape[0], h_prev.shape[1], x.shape[1]
    for name, part in zip(("r", "u", "c", "d_h"), (r, u, c, h_grad)):
        if part.shape != (batch, units):
            check_sizes(matrix_sizes(part, name, batch, units))
    if xp is np:
        args = x, h_prev, w_ru, w_c, b_ru, b_c, r, u, c, h_grad
        if (fast := gru_cell.step_back(product, *args)) is not None:
            return fast
    c_grad = h_grad * (1 - u)
    xp.multiply(c_grad, 1 - c * c, out=c_grad)
    xh_grad = multiply(xp, c_grad, w_c.T)  # gradients of x and of r * h_prev
    reset_grad = xh_grad[:, inputs:]
    gates_grad = xp.empty((batch, 2 * units), x.dtype)
    xp.multiply(reset_grad * h_prev, r * (1 - r), out=gates_grad[:, :units])
    xp.multiply(h_grad * (h_prev - c), u * (1 - u), out=gates_grad[:, units:])
    h_prev_grad = reset_grad * r
    xp.add(h_prev_grad, h_grad * u, out=h_prev_grad)
    through_gates = multiply(xp, gates_grad, w_ru.T)
    xp.add(h_prev_grad, through_gates[:, inputs:], out=h_prev_grad)
    return xh_grad[:, :inputs] + through_gates[:, :inputs], h_prev_grad, c_grad, gates_grad


gru_block_cell_grad.bind(
    lambda ctx: _step_for_static_shapes(
        ctx, gru_cell.step_back_of_shape, gru_block_cell_grad.kernel
    )
)


@gru_block_cell_grad.infer
def _(op: Any) -> list[Dims]:
    batch, units = _batch_and_units(op)
    both = with_rank(op.inputs[2]._dims, 2)[1]
    return [with_rank(op.inputs[0]._dims, 2), (batch, units), (batch, units), (batch, both)]
