"""Fused recurrent cells, steps and sequences, and the ops of their gradients."""

import numpy as np

from tests.conformance.samples import Sample

BATCH, INPUTS, UNITS, TIME = 2, 3, 4, 5


def drawn(seed, *shape):
    return np.random.RandomState(seed).uniform(-1, 1, shape).astype("f")


def sigmoid(x):
    return 1 / (1 + np.exp(-x))


def single(values):
    return tuple(np.asarray(value, "f") for value in values)


X, STATE, HIDDEN = drawn(1, BATCH, INPUTS), drawn(2, BATCH, UNITS), drawn(3, BATCH, UNITS)
W, B = drawn(4, INPUTS + UNITS, 4 * UNITS), drawn(5, 4 * UNITS)
PEEPHOLES = [drawn(seed, UNITS) for seed in (6, 7, 8)]
LSTM = [X, STATE, HIDDEN, W, *PEEPHOLES, B]
SEQUENCE = [np.int64(3), drawn(9, TIME, BATCH, INPUTS), *LSTM[1:]]
H_GRAD, CS_GRAD = drawn(10, BATCH, UNITS), drawn(11, BATCH, UNITS)
ALL_H_GRAD, ALL_CS_GRAD = drawn(12, TIME, BATCH, UNITS), drawn(13, TIME, BATCH, UNITS)


def lstm_step(
    x, cs_prev, h_prev, w, wci, wcf, wco, b, forget_bias=1.0, clip=3.0, peephole=False, order="icfo"
):
    x, cs_prev, h_prev, w, b = (np.asarray(v, "d") for v in (x, cs_prev, h_prev, w, b))
    parts = dict(zip(order, np.split(np.hstack([x, h_prev]) @ w + b, 4, axis=1)))
    used = 1.0 if peephole else 0.0
    i = sigmoid(parts["i"] + used * wci * cs_prev)
    f = sigmoid(parts["f"] + forget_bias + used * wcf * cs_prev)
    ci = np.tanh(parts["c"])
    cs = ci * i + cs_prev * f
    cs = np.clip(cs, -clip, clip) if clip > 0 else cs
    o = sigmoid(parts["o"] + used * wco * cs)
    return i, cs, f, o, ci, np.tanh(cs), o * np.tanh(cs)


def lstm(*inputs, **settings):
    return single(lstm_step(*inputs, **settings))


def lstm_sequence(length, x, cs, h, *weights, **settings):
    """Zeros after `length` steps."""
    outputs = [np.zeros((len(x), *cs.shape)) for _ in range(7)]
    for t in range(int(length)):
        step = lstm_step(x[t], cs, h, *weights, **settings)
        for output, value in zip(outputs, step):
            output[t] = value
        cs, h = step[1], step[6]
    return single(outputs)


def slopes(function, inputs, count):
    """The gradients of a scalar with respect to the first `count` inputs, by finite differences in double precision."""
    inputs = [np.array(v, "d") for v in inputs]
    found = []
    for value in inputs[:count]:
        slope = np.zeros(value.shape)
        for place in np.ndindex(*value.shape):
            kept = value[place]
            ends = []
            for moved in (kept + 1e-5, kept - 1e-5):
                value[place] = moved
                ends.append(function(*inputs))
            value[place] = kept
            slope[place] = (ends[0] - ends[1]) / 2e-5
        found.append(slope)
    return found


def lstm_grad(*inputs, peephole=False):
    """The results of LSTMBlockCellGrad; the gradient of the gate sums is that of a per-row bias."""
    x, cs_prev, h_prev, w, wci, wcf, wco, b = inputs[:8]
    cs_grad, h_grad = inputs[-2:]

    def number(cs_prev, bias, wci, wcf, wco):
        step = lstm_step(x, cs_prev, h_prev, w, wci, wcf, wco, bias, 1.0, 0.0, peephole)
        return (step[1] * cs_grad).sum() + (step[6] * h_grad).sum()

    return single(slopes(number, [cs_prev, np.tile(b, (len(x), 1)), wci, wcf, wco], 5))


def lstm_sequence_grad(length, *inputs, peephole=False, order="icfo", forget_bias=1.0):
    x, cs_prev, h_prev, w, wci, wcf, wco, b = inputs[:8]
    cs_grad, h_grad = inputs[-2:]
    settings = {"clip": 0.0, "peephole": peephole, "order": order, "forget_bias": forget_bias}

    def number(*inputs):
        cs, h = np.zeros((2, *cs_grad.shape))
        state = inputs[1], inputs[2]
        for t in range(int(length)):
            step = lstm_step(inputs[0][t], *state, *inputs[3:], **settings)
            state = cs[t], h[t] = step[1], step[6]
        return (cs * cs_grad).sum() + (h * h_grad).sum()

    return single(slopes(number, [x, cs_prev, h_prev, w, wci, wcf, wco, b], 8))


def gru_step(x, h_prev, w_ru, w_c, b_ru, b_c):
    x, h_prev = np.asarray(x, "d"), np.asarray(h_prev, "d")
    r, u = np.split(sigmoid(np.hstack([x, h_prev]) @ w_ru + b_ru), 2, axis=1)
    c = np.tanh(np.hstack([x, r * h_prev]) @ w_c + b_c)
    return r, u, c, u * h_prev + (1 - u) * c


def gru(*inputs):
    return single(gru_step(*inputs))


def gru_grad(x, h_prev, w_ru, w_c, b_ru, b_c, r, u, c, h_grad):
    """The gradients of the gate sums are those of per-row biases."""
    rows = len(x), 1

    def number(x, h_prev, b_c, b_ru):
        return (gru_step(x, h_prev, w_ru, w_c, b_ru, b_c)[3] * h_grad).sum()

    return single(slopes(number, [x, h_prev, np.tile(b_c, rows), np.tile(b_ru, rows)], 4))


GRU = [X, HIDDEN, drawn(14, INPUTS + UNITS, 2 * UNITS), drawn(15, INPUTS + UNITS, UNITS),
       drawn(16, 2 * UNITS), drawn(17, UNITS)]  # fmt: skip
STEP = lstm(*LSTM, clip=0.0)
PEEPHOLE_STEP = lstm(*LSTM, clip=0.0, peephole=True)
STEPS = lstm_sequence(*SEQUENCE, clip=0.0)
PEEPHOLE_STEPS = lstm_sequence(*SEQUENCE, clip=0.0, peephole=True)
V2_STEPS = lstm_sequence(*SEQUENCE, clip=0.0, forget_bias=0.0, order="ifco")
CELL = {"through": [1, 6], "step": 1e-2, "order": 1}
HALVES = [v.astype("e") for v in LSTM]

SAMPLES = [
    Sample("LSTMBlockCell", LSTM, expect=lstm, gradient=[0, 1, 2, 7], **CELL),
    Sample("LSTMBlockCell", LSTM, {"use_peephole": True, "forget_bias": 0.5, "cell_clip": -1.0},
           lambda *inputs: lstm(*inputs, forget_bias=0.5, clip=-1.0, peephole=True),
           gradient=[0, 1, 2, 4, 5, 6, 7], note="peephole", **CELL),
    Sample("LSTMBlockCell", LSTM, {"cell_clip": 0.25}, lambda *inputs: lstm(*inputs, clip=0.25),
           gradient=(), note="clipped"),
    Sample("LSTMBlockCell", HALVES, expect=lambda *inputs: tuple(v.astype("e") for v in lstm(*inputs)),
           gradient=(), note="half"),
    Sample("LSTMBlockCellGrad", [*LSTM, *STEP[:6], CS_GRAD, H_GRAD], {"use_peephole": False}, lstm_grad),
    Sample("LSTMBlockCellGrad", [*LSTM, *PEEPHOLE_STEP[:6], CS_GRAD, H_GRAD], {"use_peephole": True},
           lambda *inputs: lstm_grad(*inputs, peephole=True), note="peephole"),
    Sample("BlockLSTM", SEQUENCE, expect=lstm_sequence, gradient=[2, 3, 8], **CELL),
    Sample("BlockLSTM", SEQUENCE, {"use_peephole": True, "forget_bias": 0.5, "cell_clip": -1.0},
           lambda *inputs: lstm_sequence(*inputs, forget_bias=0.5, clip=-1.0, peephole=True),
           gradient=[1, 5, 6, 7], note="peephole", **CELL),
    Sample("BlockLSTM", [np.int64(0), *SEQUENCE[1:]], expect=lstm_sequence, gradient=(), note="no step"),
    Sample("BlockLSTMV2", SEQUENCE, expect=lambda *inputs: lstm_sequence(
        *inputs, forget_bias=0.0, clip=0.0, order="ifco"), gradient=()),
    Sample("BlockLSTMGrad", [*SEQUENCE, *STEPS, ALL_CS_GRAD, ALL_H_GRAD], {"use_peephole": False},
           lstm_sequence_grad),
    Sample("BlockLSTMGrad", [*SEQUENCE, *PEEPHOLE_STEPS, ALL_CS_GRAD, ALL_H_GRAD], {"use_peephole": True},
           lambda *inputs: lstm_sequence_grad(*inputs, peephole=True), note="peephole"),
    Sample("BlockLSTMGradV2", [*SEQUENCE, *V2_STEPS, ALL_CS_GRAD, ALL_H_GRAD], {"use_peephole": False},
           lambda *inputs: lstm_sequence_grad(*inputs, order="ifco", forget_bias=0.0)),
    Sample("GRUBlockCell", GRU, expect=gru, gradient=[0, 1, 4, 5], through=[3], step=1e-2, order=1),
    Sample("GRUBlockCellGrad", [*GRU, *gru(*GRU)[:3], H_GRAD], expect=gru_grad),
]  # fmt: skip
