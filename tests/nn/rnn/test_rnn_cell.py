"""Each cell against its formula in numpy; attributes and repr of cells."""

import copy

import numpy as np
import pytest

import tfmini as tf
from tfmini._src.nn.rnn.rnn_cell import LSTMStateTuple

BATCH, DEPTH, UNITS = 3, 4, 5


@pytest.fixture(autouse=True)
def graph():
    with tf.Graph().as_default() as created:
        tf.set_random_seed(1)
        yield created


def drawn(seed, *shape):
    return np.random.RandomState(seed).uniform(-1, 1, shape).astype("f")


def sigmoid(x):
    return 1 / (1 + np.exp(-x))


def joined(*parts):
    return np.concatenate(parts, axis=1)


def norm(x, gamma=1.0, beta=0.0):
    return (x - x.mean(1, keepdims=True)) / x.std(1, keepdims=True) * gamma + beta


def basic(w, x, h):
    h = np.tanh(joined(x, h) @ w["kernel"] + w["bias"])
    return h, h


def gru(w, x, h):
    r, u = np.split(sigmoid(joined(x, h) @ w["gates/kernel"] + w["gates/bias"]), 2, axis=1)
    c = np.tanh(joined(x, r * h) @ w["candidate/kernel"] + w["candidate/bias"])
    h = u * h + (1 - u) * c
    return h, h


def lstm(w, x, state, forget_bias=1.0):
    c, h = state
    i, j, f, o = np.split(joined(x, h) @ w["kernel"] + w["bias"], 4, axis=1)
    c = sigmoid(f + forget_bias) * c + sigmoid(i) * np.tanh(j)
    h = sigmoid(o) * np.tanh(c)
    return h, (c, h)


def full_lstm(w, x, state):
    """With peepholes, a projection, and both clipped."""
    c, m = state
    i, j, f, o = np.split(joined(x, m) @ w["kernel"] + w["bias"], 4, axis=1)
    keep, take = sigmoid(f + 0.5 + w["w_f_diag"] * c), sigmoid(i + w["w_i_diag"] * c)
    c = np.clip(keep * c + take * np.tanh(j), -0.3, 0.3)
    m = np.clip(sigmoid(o + w["w_o_diag"] * c) * np.tanh(c) @ w["projection/kernel"], -0.1, 0.1)
    return m, (c, m)


def block_lstm(w, x, state):
    """Like LSTMCell, with peepholes but no projection."""
    c, h = state
    i, j, f, o = np.split(joined(x, h) @ w["kernel"] + w["bias"], 4, axis=1)
    c = sigmoid(f + 1 + w["w_f_diag"] * c) * c + sigmoid(i + w["w_i_diag"] * c) * np.tanh(j)
    h = sigmoid(o + w["w_o_diag"] * c) * np.tanh(c)
    return h, (c, h)


def block_gru(w, x, h):
    names = ("gates/kernel", "gates/bias", "candidate/kernel", "candidate/bias")
    return gru(dict(zip(names, (w["w_ru"], w["b_ru"], w["w_c"], w["b_c"]))), x, h)


def normalized_lstm(w, x, state):
    c, h = state
    names = ("input", "transform", "forget", "output")
    parts = np.split(joined(x, h) @ w["kernel"], 4, axis=1)
    i, j, f, o = (norm(p, w[f"{n}/gamma"], w[f"{n}/beta"]) for n, p in zip(names, parts))
    c = norm(c * sigmoid(f + 1) + sigmoid(i) * np.tanh(j), w["state/gamma"], w["state/beta"])
    h = np.tanh(c) * sigmoid(o)
    return h, (c, h)


def coupled(w, x, state):
    c, m = state
    j, f, o = np.split(joined(x, m) @ w["W_0"] + w["B"], 3, axis=1)
    f = sigmoid(f + 1 + w["W_F_diag"] * c)
    c = f * c + (1 - f) * np.tanh(j)
    m = sigmoid(o + w["W_O_diag"] * c) * np.tanh(c)
    return m, (c, m)


def updating(w, x, h):
    g, c = np.split(joined(x, h) @ w["kernel"] + w["bias"], 2, axis=1)
    g = sigmoid(g + 1)
    h = g * h + (1 - g) * np.tanh(c)
    return h, h


def intersection(w, x, h):
    x = x @ w["in_projection/kernel"] + w["in_projection/bias"]
    gh, new, gy, y = np.split(joined(x, h) @ w["kernel"] + w["bias"], 4, axis=1)
    gh, gy = sigmoid(gh + 1), sigmoid(gy + 1)
    return gy * x + (1 - gy) * np.maximum(y, 0), gh * h + (1 - gh) * np.tanh(new)


def searched(w, x, state):
    c, m = state
    h = np.split(m @ w["recurrent_kernel"], 8, axis=1)
    x = np.split(x @ w["kernel"], 8, axis=1)
    left = np.tanh(np.tanh(sigmoid(x[0] + h[0]) * np.maximum(x[1] + h[1], 0)) + c)
    c = left * np.tanh(sigmoid(x[2] + h[2]) + np.maximum(x[3] * h[3], 0))
    right = np.tanh(np.tanh(x[4] + h[4]) * sigmoid(x[5] + h[5]))
    right += sigmoid(np.tanh(x[6] + h[6]) + sigmoid(x[7] + h[7]))
    m = np.tanh(c * np.tanh(right))
    return m, (c, m)


def grouped(w, x, state):
    c, m = state
    kernels = w["group0/kernel"], w["group1/kernel"]
    halves = zip(np.split(x, 2, axis=1), np.split(m, 2, axis=1), kernels)
    parts = [np.split(joined(a, b) @ kernel, 4, axis=1) for a, b, kernel in halves]
    i, j, f, o = (joined(*gate) + w[f"bias_{n}"] for gate, n in zip(zip(*parts), "ijfo"))
    c = sigmoid(f + 1) * c + sigmoid(i) * np.tanh(j)
    m = sigmoid(o) * np.tanh(c)
    return m, (c, m)


def simple(w, x, c):
    new, f, r, t = np.split(x @ w["kernel"], 4, axis=1)
    f, r = np.split(sigmoid(joined(f, r) + w["bias"]), 2, axis=1)
    c = f * c + (1 - f) * new
    return r * np.tanh(c) + (1 - r) * t, c


def independent(w, x, h):
    h = np.tanh(x @ w["kernel_w"] + h * w["kernel_u"] + w["bias"])
    return h, h


def independent_gru(w, x, h):
    gates = x @ w["gates/kernel_w"] + np.tile(h, 2) * w["gates/kernel_u"] + w["gates/bias"]
    r, u = np.split(sigmoid(gates), 2, axis=1)
    c = x @ w["candidate/kernel"] + r * h * w["candidate/kernel_u"] + w["candidate/bias"]
    h = u * h + (1 - u) * np.tanh(c)
    return h, h


def independent_lstm(w, x, state):
    c, h = state
    sums = x @ w["kernel_w"] + np.tile(h, 4) * w["kernel_u"] + w["bias"]
    i, j, f, o = np.split(sums, 4, axis=1)
    c = sigmoid(f + 1) * c + sigmoid(i) * np.tanh(j)
    h = sigmoid(o) * np.tanh(c)
    return h, (c, h)


def inner_gru(w, x, h):
    inner = {n[len("gru_cell/") :]: v for n, v in w.items() if n.startswith("gru_cell/")}
    return gru(inner, x, h)


def projected(w, x, h):
    x = np.tanh(x @ w["kernel"] + w["bias"])
    return inner_gru(w, x, h)


def highway(w, x, h):
    y, state = inner_gru(w, x, h)
    carry = sigmoid(x @ w["carry_w"] + w["carry_b"])
    return x * carry + y * (1 - carry), state


def residual(w, x, h):
    y, state = gru(w, x, h)
    return x + y, state


CELLS = tf.nn.rnn_cell

RNN = tf.contrib.rnn

FORMULAS = {
    "BasicRNNCell": (lambda: CELLS.BasicRNNCell(UNITS), basic),
    "GRUCell": (lambda: CELLS.GRUCell(UNITS), gru),
    "BasicLSTMCell": (lambda: CELLS.BasicLSTMCell(UNITS), lstm),
    "LSTMCell": (lambda: CELLS.LSTMCell(UNITS), lstm),
    "LSTMCell, all of it": (
        lambda: CELLS.LSTMCell(UNITS, True, 0.3, num_proj=2, proj_clip=0.1, forget_bias=0.5),
        full_lstm,
    ),
    "LSTMBlockCell": (lambda: RNN.LSTMBlockCell(UNITS), lstm),
    "LSTMBlockCell, peepholes": (lambda: RNN.LSTMBlockCell(UNITS, use_peephole=True), block_lstm),
    "GRUBlockCell": (lambda: RNN.GRUBlockCell(UNITS), block_gru),
    "GRUBlockCellV2": (lambda: RNN.GRUBlockCellV2(UNITS), gru),
    "LayerNormBasicLSTMCell": (lambda: RNN.LayerNormBasicLSTMCell(UNITS), normalized_lstm),
    "CoupledInputForgetGateLSTMCell": (
        lambda: RNN.CoupledInputForgetGateLSTMCell(UNITS, use_peepholes=True),
        coupled,
    ),
    "UGRNNCell": (lambda: RNN.UGRNNCell(UNITS), updating),
    "IntersectionRNNCell": (lambda: RNN.IntersectionRNNCell(UNITS, UNITS), intersection),
    "NASCell": (lambda: RNN.NASCell(UNITS), searched),
    "GLSTMCell": (lambda: RNN.GLSTMCell(6, number_of_groups=2), grouped),
    "SRUCell": (lambda: RNN.SRUCell(UNITS), simple),
    "IndRNNCell": (lambda: RNN.IndRNNCell(UNITS), independent),
    "IndyGRUCell": (lambda: RNN.IndyGRUCell(UNITS), independent_gru),
    "IndyLSTMCell": (lambda: RNN.IndyLSTMCell(UNITS), independent_lstm),
    "InputProjectionWrapper": (
        lambda: RNN.InputProjectionWrapper(CELLS.GRUCell(UNITS), 2, tf.tanh),
        projected,
    ),
    "HighwayWrapper": (lambda: RNN.HighwayWrapper(CELLS.GRUCell(DEPTH)), highway),
    "ResidualWrapper": (lambda: CELLS.ResidualWrapper(CELLS.GRUCell(DEPTH)), residual),
}


def drawn_weights(session):
    """Sets all variables to random values; returns these by name, with and without the cell's scope."""
    values = {}
    for index, variable in enumerate(tf.global_variables()):
        value = drawn(index + 10, *variable.shape.as_list())
        variable.load(value, session)
        values[variable.op.name.partition("/")[2]] = value
        values[variable.op.name] = value
    return values


@pytest.mark.parametrize("name", FORMULAS)
def test_cell_formulas(name):
    make, formula = FORMULAS[name]
    cell = make()
    x = tf.placeholder(tf.float32, [BATCH, DEPTH])
    sizes = tf.nest.flatten(cell.state_size)
    values = [drawn(seed, BATCH, size) for seed, size in enumerate(sizes)]
    state = tf.nest.pack_sequence_as(cell.state_size, [tf.constant(v) for v in values])
    output, new_state = cell(x, state)
    assert output.shape == [BATCH, cell.output_size]
    tf.nest.assert_same_structure(new_state, cell.state_size)
    with tf.Session() as session:
        weights = drawn_weights(session)
        fed = drawn(7, BATCH, DEPTH)
        actual = session.run([output, *tf.nest.flatten(new_state)], {x: fed})
    output, new_state = formula(weights, fed, values if len(values) > 1 else values[0])
    expected = [output, *(new_state if isinstance(new_state, tuple) else [new_state])]
    for result, wanted in zip(actual, expected):
        np.testing.assert_allclose(result, wanted, rtol=2e-5, atol=2e-6)


def test_stacked_cell_states():
    stack = CELLS.MultiRNNCell([CELLS.BasicLSTMCell(2), CELLS.GRUCell(3)])
    assert stack.state_size == (LSTMStateTuple(2, 2), 3) and stack.output_size == 3
    # Cells that wrap an LSTMCell read this attribute.
    assert CELLS.LSTMCell(3, num_proj=2)._state_size == LSTMStateTuple(3, 2)
    (c, h), last = stack.zero_state(tf.constant(4), tf.float64)
    assert c.shape == h.shape == [4, 2] and last.shape == [4, 3]
    assert last.dtype == tf.float64
    with tf.Session() as session:
        assert not np.any(session.run(c)) and session.run(last).shape == (4, 3)


def test_variational_dropout():
    cell = CELLS.DropoutWrapper(
        CELLS.GRUCell(50), output_keep_prob=0.5, variational_recurrent=True, dtype=tf.float32
    )
    outputs = tf.nn.static_rnn(cell, [tf.ones([2, 3])] * 3, dtype=tf.float32)[0]
    with tf.Session() as session:
        session.run(tf.global_variables_initializer())
        first, second, third = (value == 0 for value in session.run(outputs))
    assert 20 < first.sum() < 80
    assert (first == second).all() and (first == third).all() and (first[0] == first[1]).all()


def test_dropout_redraws_each_step():
    cell = CELLS.DropoutWrapper(CELLS.GRUCell(50), output_keep_prob=0.5)
    outputs = tf.nn.static_rnn(cell, [tf.ones([2, 3])] * 2, dtype=tf.float32)[0]
    with tf.Session() as session:
        session.run(tf.global_variables_initializer())
        first, second = (value == 0 for value in session.run(outputs))
    assert (first != second).any() and (first[0] != first[1]).any()


def test_state_dropout_keeps_memory_cell():
    cell = CELLS.DropoutWrapper(CELLS.BasicLSTMCell(50), state_keep_prob=0.5)
    _, state = cell(tf.ones([2, 3]), cell.zero_state(2, tf.float32))
    with tf.Session() as session:
        session.run(tf.global_variables_initializer())
        c, h = session.run(state)
    assert np.all(c != 0) and 20 < (h == 0).sum() < 80


def test_device_wrapper():
    cell = CELLS.DeviceWrapper(CELLS.GRUCell(3), "/cpu:0")
    output, _ = cell(tf.ones([2, 3]), cell.zero_state(2, tf.float32))
    assert output.device == "/device:CPU:0"


def test_wrapper_config_round_trip():
    cell = CELLS.DropoutWrapper(CELLS.GRUCell(3), 0.5, seed=3)
    config = cell.get_config()
    assert config["cell"]["class_name"] == "GRUCell"
    config["cell"] = cell.wrapped_cell
    restored = CELLS.DropoutWrapper.from_config(config)
    assert restored.wrapped_cell is cell.wrapped_cell
    assert restored._gen_seed("input", 0) == cell._gen_seed("input", 0)


def test_deep_copies_have_separate_weights():
    cell = CELLS.GRUCell(3)
    cells = CELLS.MultiRNNCell([copy.deepcopy(cell) for _ in range(2)])
    cells(tf.ones([2, 3]), cells.zero_state(2, tf.float32))
    assert len({v.name for v in tf.trainable_variables()}) == 8
