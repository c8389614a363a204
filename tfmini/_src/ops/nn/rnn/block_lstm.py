"""An LSTM over an entire sequence as a single op, with its gradient; for formulas, see `lstm_block_cell.py`.

The gate order is i, ci, f, o in BlockLSTM, and i, f, ci, o in BlockLSTMV2, which has no forget bias.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from tfmini._src.base.errors import invalid
from tfmini._src.devices.host.native.sequences import lstm_cell
from tfmini._src.graph.opdef import Attr, op, raw
from tfmini._src.graph.shape_inference import Dims, InferenceError, with_rank
from tfmini._src.ops.nn.rnn.cell_blocks import check_ranks, check_sizes, multiply
from tfmini._src.ops.nn.rnn.lstm_block_cell import (
    FLOATS,
    STEP,
    WEIGHTS,
    gates_in,
    one_step,
    one_step_back,
    peephole_gradients,
    step_sizes,
)
from tfmini._src.ops.operands import shape_text, single_integer


def _block_lstm(
    xp: Any, order: str, length: Any, x: Any, cs_prev: Any, h_prev: Any, w: Any, peepholes: tuple,
    b: Any, use_peephole: bool, forget_bias: float, cell_clip: float,
) -> tuple:  # fmt: skip
    """Runs `length` steps over x [time, batch, inputs]; later steps yield zeros."""
    check_ranks([(x, 3, "x"), (cs_prev, 2, "cs_prev"), (h_prev, 2, "h_prev"), (w, 2, "w")])
    time, batch, inputs = x.shape
    units = cs_prev.shape[1]
    sizes = step_sizes(batch, inputs, cs_prev, h_prev, w, b)
    check_sizes(sizes[:-1])
    for name, peephole in zip(("wci", "wcf", "wco"), peepholes):
        check_ranks([(peephole, 1, name)])
        check_sizes([(peephole, 0, units, f"{name}.dim_size(0) != cell_size")])
    check_ranks([(b, 1, "b")])
    check_sizes(sizes[-1:])
    steps = _steps(length, time)
    outputs = tuple(xp.zeros((time, batch, units), x.dtype) for _ in range(7))
    # The inputs' contribution to the gates, for all steps at once.
    sums = multiply(xp, x[:steps].reshape(steps * batch, inputs), w[:inputs])
    xp.add(sums, b, out=sums)
    sums = sums.reshape(steps, batch, 4 * units)
    recurrent = w[inputs:]
    options = peepholes if use_peephole else None, forget_bias, cell_clip
    compute = None
    cs, h = cs_prev, h_prev
    for t, (inputs_sums, *now) in enumerate(zip(sums, *outputs)):
        gates = multiply(xp, h, recurrent)
        xp.add(gates, inputs_sums, out=gates)
        if not t and _is_native(xp, order):
            compute = lstm_cell.repeated_step(gates, xp.zeros_like(b), cs, *options)
        if compute is not None:
            compute(gates, cs, now)
        else:
            for output, value in zip(now, one_step(xp, gates_in(gates, order), cs, *options)):
                output[...] = value
        cs, h = now[1], now[6]
    return outputs


def _is_native(xp: Any, order: str) -> bool:
    """Whether the CPU has a kernel for steps with this gate order."""
    return xp is np and order == "icfo"


def _check_sequences(shape: tuple, sequences: dict[str, Any]) -> None:
    """Raises an error for states and gradients with a different number of steps, for which TensorFlow crashes."""
    for name, sequence in sequences.items():
        if sequence.shape != shape:
            actual_shape = shape_text(sequence.shape)
            invalid(f"{name} must have shape {shape_text(shape)}, but has {actual_shape}")


def _steps(length: Any, time: int) -> int:
    steps = single_integer(length, "seq_len_max")
    if not 0 <= steps <= time:
        invalid(
            f"seq_len_max must be between 0 and the number of steps of x ({time}), but is {steps}"
        )
    return steps


@op(
    "BlockLSTM",
    f"seq_len_max: int64, x: T, cs_prev: T, h_prev: T, {WEIGHTS} -> {STEP}, h: T",
    static_inputs=("seq_len_max",),
    forget_bias=1.0,
    cell_clip=3.0,
    use_peephole=False,
    T=FLOATS,
)
def block_lstm(
    xp, length, x, cs_prev, h_prev, w, wci, wcf, wco, b, *, forget_bias, cell_clip, use_peephole
):
    peepholes = wci, wcf, wco
    return _block_lstm(
        xp, "icfo", length, x, cs_prev, h_prev, w, peepholes, b, use_peephole, forget_bias, cell_clip
    )  # fmt: skip


@op(
    "BlockLSTMV2",
    f"seq_len_max: int64, x: T, cs_prev: T, h_prev: T, {WEIGHTS} -> {STEP}, h: T",
    static_inputs=("seq_len_max",),
    cell_clip=0.0,
    use_peephole=False,
    T=FLOATS,
)
def block_lstm_v2(
    xp, length, x, cs_prev, h_prev, w, wci, wcf, wco, b, *, cell_clip, use_peephole
):  # fmt: skip
    peepholes = wci, wcf, wco
    return _block_lstm(
        xp, "ifco", length, x, cs_prev, h_prev, w, peepholes, b, use_peephole, 0.0, cell_clip
    )


def _block_lstm_dims(op: Any) -> list[Dims]:
    time, batch, _ = with_rank(op.inputs[1]._dims, 3)
    (gates,) = with_rank(op.inputs[-1]._dims, 1)
    if gates is not None and gates % 4:
        raise InferenceError(f"Dimension size must be evenly divisible by 4 but is {gates}")
    return [(time, batch, None if gates is None else gates // 4)] * 7


def _block_lstm_gradient(op: Any, *grads: Any) -> tuple:
    """Uses the V1 gradient for the V2 op as well, as TensorFlow does, although the gate orders differ."""
    tensors = [*op.inputs, *op.outputs, grads[1], grads[6]]
    results = raw.BlockLSTMGrad(*tensors, use_peephole=op.attrs["use_peephole"])
    return None, *results


for _op in (block_lstm, block_lstm_v2):
    _op.infer(_block_lstm_dims)
    _op.gradient(_block_lstm_gradient)


def _declare_gradient(name: str, order: str) -> None:
    @op(
        name,
        f"seq_len_max: int64, x: T, cs_prev: T, h_prev: T, {WEIGHTS}, {STEP}, h: T, "
        "cs_grad: T, h_grad: T -> x_grad: T, cs_prev_grad: T, h_prev_grad: T, "
        "w_grad: T, wci_grad: T, wcf_grad: T, wco_grad: T, b_grad: T",
        static_inputs=("seq_len_max",),
        use_peephole=Attr("bool"),
        T=FLOATS,
    )
    def block_lstm_grad(
        xp, length, x, cs_prev, h_prev, w, wci, wcf, wco, b, i, cs, f, o, ci, co, h, cs_grad, h_grad,
        *, use_peephole
    ):  # fmt: skip
        check_ranks([(x, 3, "x"), (cs_prev, 2, "cs_prev"), (h_prev, 2, "h_prev"), (w, 2, "w")])
        time, batch, inputs = x.shape
        units = cs_prev.shape[1]
        check_sizes(step_sizes(batch, inputs, cs_prev, h_prev, w, b))
        steps = _steps(length, time)
        outputs = i, cs, f, o, ci, co
        states = dict(zip(("i", "cs", "f", "o", "ci", "co", "h"), (*outputs, h)))
        _check_sequences((time, batch, units), states | {"cs_grad": cs_grad, "h_grad": h_grad})
        peepholes = (wci, wcf, wco) if use_peephole else None
        gates_grad = xp.empty((steps, batch, 4 * units), x.dtype)
        parts = gates_in(gates_grad, order)
        recurrent = w[inputs:].T
        cs_prev_grad, h_prev_grad = xp.zeros_like(cs_prev), xp.zeros_like(h_prev)
        for t in reversed(range(steps)):
            previous_state = cs[t - 1] if t else cs_prev
            step = tuple(output[t] for output in outputs)
            grads = cs_grad[t] + cs_prev_grad, h_grad[t] + h_prev_grad
            fast = None
            if _is_native(xp, order):
                fast = lstm_cell.step_back(previous_state, peepholes, (step[0], *step[2:]), *grads)
            if fast:
                cs_prev_grad, gates_grad[t] = fast
            else:
                now = tuple(part[t] for part in parts)
                cs_prev_grad = one_step_back(xp, now, previous_state, peepholes, step, *grads)
            h_prev_grad = multiply(xp, gates_grad[t], recurrent)
        flat = gates_grad.reshape(steps * batch, 4 * units)
        x_grad = xp.zeros_like(x)
        x_grad[:steps] = multiply(xp, flat, w[:inputs].T).reshape(steps, batch, inputs)
        states, hidden = _before(xp, cs_prev, cs, steps), _before(xp, h_prev, h, steps)
        xh = xp.concatenate((x[:steps], hidden), axis=2).reshape(steps * batch, inputs + units)
        w_grad = multiply(xp, xh.T, flat)
        peephole_grads = peephole_gradients(xp, use_peephole, parts, states, cs[:steps])
        return x_grad, cs_prev_grad, h_prev_grad, w_grad, *peephole_grads, xp.sum(flat, axis=0)

    @block_lstm_grad.infer
    def _(op: Any) -> list[Dims]:
        ranks = (3, 2, 2, 2, 1, 1, 1, 1)
        return [with_rank(t._dims, rank) for t, rank in zip(op.inputs[1:], ranks)]


def _before(xp: Any, first: Any, states: Any, steps: int) -> Any:
    return xp.concatenate((first[None], states[: max(steps - 1, 0)]), axis=0)[:steps]


_declare_gradient("BlockLSTMGrad", "icfo")
_declare_gradient("BlockLSTMGradV2", "ifco")
