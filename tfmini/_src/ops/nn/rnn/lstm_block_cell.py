"""One LSTM step as a single op, with its gradient.

    [i, ci, f, o] = [x, h_prev] @ w + b
    i = sigmoid(i + cs_prev * wci)
    f = sigmoid(f + forget_bias + cs_prev * wcf)
    ci = tanh(ci)
    cs = clip(ci * i + cs_prev * f, cell_clip)
    o = sigmoid(o + cs * wco)
    co = tanh(cs)
    h = co * o

The products with wci, wcf and wco, the peepholes of Gers and Schmidhuber (2000), require use_peephole; the cell
itself is from Zaremba et al., https://arxiv.org/abs/1409.2329. The gate order of BlockLSTMV2 is i, f, ci, o.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from tfmini._src.base.dtypes import float16, float32
from tfmini._src.devices.concat import concatenate
from tfmini._src.devices.host.native.sequences import lstm_cell
from tfmini._src.graph.opdef import Attr, op, raw
from tfmini._src.graph.shape_inference import Dims, with_rank
from tfmini._src.ops import ops
from tfmini._src.ops.nn.rnn.cell_blocks import (
    Size,
    check_sizes,
    column_count,
    logistic,
    matrix_sizes,
    multiply,
)
from tfmini._src.ops.operands import row_count

FLOATS = (float16, float32)
WEIGHTS = "w: T, wci: T, wcf: T, wco: T, b: T"
STEP = "i: T, cs: T, f: T, o: T, ci: T, co: T"


@op(
    "LSTMBlockCell",
    f"x: T, cs_prev: T, h_prev: T, {WEIGHTS} -> {STEP}, h: T",
    infer=lambda op: [_batch_and_units(op)] * 7,
    forget_bias=1.0,
    cell_clip=3.0,
    use_peephole=False,
    T=FLOATS,
)
def lstm_block_cell(
    xp, x, cs_prev, h_prev, w, wci, wcf, wco, b, *, forget_bias, cell_clip, use_peephole
):
    check_sizes(step_sizes(row_count(x), column_count(x), cs_prev, h_prev, w, b))
    gates = multiply(xp, concatenate(xp, (x, h_prev), 1), w)
    peepholes = (wci, wcf, wco) if use_peephole else None
    if xp is np:
        fast = lstm_cell.step(gates, b, cs_prev, peepholes, forget_bias, cell_clip)
        if fast is not None:
            return fast
    xp.add(gates, b, out=gates)
    return one_step(xp, gates_in(gates, "icfo"), cs_prev, peepholes, forget_bias, cell_clip)


def step_sizes(batch: int, inputs: int, cs_prev: Any, h_prev: Any, w: Any, b: Any) -> list[Size]:
    """Returns the size checks, in TensorFlow's order."""
    units = cs_prev.shape[1] if cs_prev.ndim > 1 else 1
    shapes = cs_prev.shape, h_prev.shape, w.shape, b.shape
    if shapes == (*((batch, units),) * 2, (inputs + units, 4 * units), (4 * units,)):
        return []
    return [
        *matrix_sizes(cs_prev, "cs_prev", batch, units),
        *matrix_sizes(h_prev, "h_prev", batch, units),
        (w, 0, inputs + units, "w.dim_size(0) != input_size + cell_size"),
        (w, 1, 4 * units, "w.dim_size(1) != cell_size * 4"),
        (b, 0, 4 * units, "b.dim_size(0) != cell_size * 4"),
    ]


def gates_in(gates: Any, order: str) -> tuple[Any, ...]:
    """Splits `gates` [..., 4 * units] into i, ci, f, o; `order` is the order of the input, with c for ci."""
    units = gates.shape[-1] // 4
    indices = (order.index(gate) * units for gate in "icfo")
    return tuple(gates[..., position : position + units] for position in indices)


def one_step(
    xp: Any, gates: tuple, cs_prev: Any, peepholes: Any, forget_bias: float, cell_clip: float
) -> tuple:
    """Computes a step from the gate sums; returns i, cs, f, o, ci, co, h."""
    i_sum, ci_sum, f_sum, o_sum = gates
    f_sum = f_sum + forget_bias
    if peepholes is not None:
        wci, wcf, wco = peepholes
        i_sum = i_sum + cs_prev * wci
        f_sum = f_sum + cs_prev * wcf
    i, f = logistic(xp, i_sum), logistic(xp, f_sum)
    ci = xp.tanh(ci_sum)
    cs = ci * i
    xp.add(cs, cs_prev * f, out=cs)
    if cell_clip > 0:
        xp.clip(cs, -cell_clip, cell_clip, out=cs)
    o = logistic(xp, o_sum if peepholes is None else o_sum + cs * wco)
    co = xp.tanh(cs)
    return i, cs, f, o, ci, co, co * o


def _batch_and_units(op: Any) -> tuple[int | None, int | None]:
    return with_rank(op.inputs[0]._dims, 2)[0], with_rank(op.inputs[1]._dims, 2)[1]


@lstm_block_cell.gradient
def _(op, *grads):
    x, cs_prev, h_prev, w, *peepholes_and_bias = op.inputs
    *step, _ = op.outputs
    batch, inputs = (d.value for d in x.shape.with_rank(2).dims)
    if inputs is None:
        raise ValueError("input_size from `x` should not be None.")
    units = cs_prev.shape.with_rank(2).dims[1].value
    if units is None:
        raise ValueError("cell_size from `cs_prev` should not be None.")
    inputs_and_outputs = [x, cs_prev, h_prev, w, *peepholes_and_bias, *step, grads[1], grads[6]]
    cs_prev_grad, gates_grad, *peephole_grads = raw.LSTMBlockCellGrad(
        *inputs_and_outputs, use_peephole=op.attrs["use_peephole"]
    )
    rows = -1 if batch is None else batch
    xh_grad = ops.matmul(gates_grad, w, transpose_b=True)
    x_grad = ops.slice(xh_grad, (0, 0), (rows, inputs))
    h_prev_grad = ops.slice(xh_grad, (0, inputs), (rows, units))
    w_grad = ops.matmul(ops.concat([x, h_prev], 1), gates_grad, transpose_a=True)
    b_grad = raw.BiasAddGrad(gates_grad)
    return x_grad, cs_prev_grad, h_prev_grad, w_grad, *peephole_grads, b_grad


@op(
    "LSTMBlockCellGrad",
    f"x: T, cs_prev: T, h_prev: T, {WEIGHTS}, {STEP}, cs_grad: T, h_grad: T -> "
    "cs_prev_grad: T, dicfo: T, wci_grad: T, wcf_grad: T, wco_grad: T",
    use_peephole=Attr("bool"),
    T=FLOATS,
)
def lstm_block_cell_grad(
    xp, x, cs_prev, h_prev, w, wci, wcf, wco, b, i, cs, f, o, ci, co, cs_grad, h_grad, *, use_peephole
):  # fmt: skip
    batch, units = row_count(x), column_count(cs_prev)
    check_sizes(step_sizes(batch, column_count(x), cs_prev, h_prev, w, b))
    for name, part in zip(("i", "cs", "f", "o", "ci", "co"), (i, cs, f, o, ci, co)):
        if part.shape == (batch, units):
            continue
        # TensorFlow reports the units of f as "i", too.
        sizes = matrix_sizes(part, name, batch, units, "dim_size")
        check_sizes([sizes[0], (*sizes[1][:3], sizes[1][3].replace("f.", "i."))])
    check_sizes(matrix_sizes(cs_grad, "cs_grad_tensor", batch, units))
    check_sizes(matrix_sizes(h_grad, "h_grad_tensor", batch, units))
    peepholes = (wci, wcf, wco) if use_peephole else None
    if xp is np:
        fast = lstm_cell.step_back(cs_prev, peepholes, (i, f, o, ci, co), cs_grad, h_grad)
        if fast is not None:
            parts = gates_in(fast[1], "icfo") if use_peephole else ()
            return *fast, *peephole_gradients(xp, use_peephole, parts, cs_prev, cs)
    gates_grad = xp.empty((batch, 4 * units), x.dtype)
    parts = gates_in(gates_grad, "icfo")
    cs_prev_grad = one_step_back(
        xp, parts, cs_prev, peepholes, (i, cs, f, o, ci, co), cs_grad, h_grad
    )
    return cs_prev_grad, gates_grad, *peephole_gradients(xp, use_peephole, parts, cs_prev, cs)


def one_step_back(
    xp: Any, parts: tuple, cs_prev: Any, peepholes: Any, step: tuple, cs_grad: Any, h_grad: Any
) -> Any:
    """Writes the gradients of the gate sums into `parts` and returns the gradient of cs_prev."""
    i, _, f, o, ci, co = step
    i_grad, ci_grad, f_grad, o_grad = parts
    xp.multiply(o * (1 - o), h_grad * co, out=o_grad)
    cs_sum = (1 - co * co) * (h_grad * o)
    xp.add(cs_sum, cs_grad, out=cs_sum)
    if peepholes is not None:
        xp.add(cs_sum, o_grad * peepholes[2], out=cs_sum)
    xp.multiply(cs_sum * i, 1 - ci * ci, out=ci_grad)
    xp.multiply(cs_sum * ci, i * (1 - i), out=i_grad)
    xp.multiply(cs_sum * cs_prev, f * (1 - f), out=f_grad)
    cs_prev_grad = cs_sum * f
    if peepholes is not None:
        xp.add(cs_prev_grad, i_grad * peepholes[0], out=cs_prev_grad)
        xp.add(cs_prev_grad, f_grad * peepholes[1], out=cs_prev_grad)
    return cs_prev_grad


def peephole_gradients(xp: Any, use_peephole: bool, parts: tuple, cs_prev: Any, cs: Any) -> tuple:
    """Returns the gradients of wci, wcf and wco: sums over all but the last axis, or zeros without peepholes."""
    if not use_peephole:
        return tuple(xp.zeros(cs.shape[-1], cs.dtype) for _ in range(3))
    i_grad, _, f_grad, o_grad = parts
    axes = tuple(range(cs.ndim - 1))
    return tuple(
        xp.sum(grad * state, axis=axes)
        for grad, state in ((i_grad, cs_prev), (f_grad, cs_prev), (o_grad, cs))
    )


@lstm_block_cell_grad.infer
def _(op: Any) -> list[Dims]:
    batch, units = _batch_and_units(op)
    return [(batch, units), (batch, None if units is None else 4 * units), *[(units,)] * 3]
