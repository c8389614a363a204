"""Elementwise groups on a GPU: one launch each, or op by op for unsuitable shapes."""

import numpy as np
import pytest

import tfmini as tf
from tfmini._src.graph.opdef import raw, registry

pytestmark = pytest.mark.usefixtures("gpu")

ON_CPU = {"device_count": {"GPU": 0}}


def run(machine, fetches, feed):
    """The fetched values and the launch names."""
    with tf.Session() as session:
        machine.counters.reset()
        values = session.run(fetches, feed)
        return values, machine.counters.launch_names


def numbers(*shape, dtype="f", seed=0):
    return np.asarray(np.random.RandomState(seed).randn(*shape), dtype)


@pytest.mark.parametrize("dtype", [tf.float32, tf.float64])
@pytest.mark.parametrize("shape", [[3, 5], [None, 5], [0, 4], []])
def test_elementwise_group_is_one_launch(gpu, shape, dtype):
    x, y = (tf.placeholder(dtype, shape) for _ in range(2))
    z = tf.tanh(x * y + 1.0) * tf.exp(-x) - y
    sizes = [3 if size is None else size for size in shape]
    a, b = (numbers(*sizes, dtype=dtype.as_numpy_dtype, seed=n) for n in range(2))
    value, names = run(gpu, z, {x: a, y: b})
    assert set(names) <= {"fused"}
    assert names.total() == (0 if 0 in sizes else 1)
    np.testing.assert_allclose(value, np.tanh(a * b + 1) * np.exp(-a) - b, rtol=1e-5)


def test_single_op_uses_its_own_kernel(gpu):
    x = tf.placeholder(tf.float32, [4])
    assert run(gpu, tf.exp(x), {x: np.ones(4)})[1] == {"exp": 1}


SPECIAL = [-np.inf, -90.0, -3.0, -0.5, -0.0, 0.0, 0.5, 3.0, 90.0, np.inf, np.nan]


FORMULAS = (
    "Elu EluGrad InvGrad Maximum Minimum Pow ReciprocalGrad Relu Relu6 ReluGrad Rsqrt RsqrtGrad "
    "Sigmoid SigmoidGrad Softplus SoftplusGrad "
    "SqrtGrad SquaredDifference TanhGrad"
).split()


def test_formulas_cover_known_ops():
    declared = {name: registry[name].formula for name in registry}
    known = {name for name, formula in declared.items() if formula and formula.gpu_steps(2)}
    assert known == {*FORMULAS, "AddN"}


@pytest.mark.parametrize("name", FORMULAS)
def test_formulas_match_cpu_kernels(gpu, name):
    """Same as the CPU kernel, including special values."""
    grid = [np.ravel(v).astype("d") for v in np.meshgrid(SPECIAL, SPECIAL)]
    declared = getattr(raw, name)
    count = len(declared.inputs)

    def values(config):
        with tf.Graph().as_default(), tf.Session(config=config) as session:
            inputs = [tf.placeholder(tf.float64, [len(grid[0])]) for _ in range(count)]
            return session.run(raw.Neg(declared(*inputs)), dict(zip(inputs, grid)))

    gpu.counters.reset()
    got = values(tf.ConfigProto())
    assert gpu.counters.launch_names == {"fused": 1}
    np.testing.assert_allclose(got, values(tf.ConfigProto(**ON_CPU)), rtol=1e-12, atol=1e-14)


def test_add_n_is_one_launch(gpu):
    inputs = [tf.placeholder(tf.float32, [6]) for _ in range(5)]
    values = [numbers(6, seed=n) for n in range(5)]
    got, names = run(gpu, tf.add_n(inputs), dict(zip(inputs, values)))
    assert names == {"fused": 1}
    np.testing.assert_allclose(got, sum(values), rtol=1e-6)


def test_add_n_exceeds_one_kernel(gpu):
    inputs = [tf.placeholder(tf.float32, [6]) for _ in range(40)]
    values = [numbers(6, seed=n) for n in range(40)]
    got, _ = run(gpu, tf.add_n(inputs), dict(zip(inputs, values)))
    np.testing.assert_allclose(got, sum(values), rtol=1e-5, atol=1e-6)


def test_chain_with_too_many_inputs_is_split(gpu):
    inputs = [tf.placeholder(tf.float32, [6]) for _ in range(100)]
    values = [numbers(6, seed=n) for n in range(100)]
    total = inputs[0]
    for each in inputs[1:]:
        total = total + each
    got, names = run(gpu, total, dict(zip(inputs, values)))
    assert names.total() <= 5
    np.testing.assert_allclose(got, sum(values), rtol=1e-5, atol=1e-5)


def test_runtime_broadcast_falls_back_to_single_ops(gpu):
    x, y = (tf.placeholder(tf.float32, [None, None]) for _ in range(2))
    a, b = numbers(4, 3), numbers(1, 3, seed=1)
    got, names = run(gpu, tf.sigmoid(x * y + 1.0), {x: a, y: b})
    assert names["fused"] == 0
    np.testing.assert_allclose(got, 1 / (1 + np.exp(-(a * b + 1))), rtol=1e-5)


@pytest.mark.parametrize("config", [{}, ON_CPU])
def test_shape_mismatch_names_op(config):
    x, y = (tf.placeholder(tf.float32, [None]) for _ in range(2))
    z = tf.exp(tf.multiply(x, y, name="product"))
    with tf.Session(config=tf.ConfigProto(**config)) as session:
        with pytest.raises(
            tf.errors.InvalidArgumentError, match=r"Incompatible shapes: \[2\] vs. \[3\]"
        ) as caught:
            session.run(z, {x: [1, 2], y: [1, 2, 3]})
    assert "[[node product (defined" in caught.value.message


@pytest.mark.parametrize("data_format, shape", [("NHWC", (4, 3)), ("NCHW", (2, 3, 4, 5))])
def test_bias_and_relu_are_one_launch(gpu, data_format, shape):
    x, b = tf.placeholder(tf.float32, shape), tf.placeholder(tf.float32, [3])
    y = tf.nn.relu(tf.nn.bias_add(x, b, data_format=data_format))
    value, bias = numbers(*shape), numbers(3, seed=1)
    got, names = run(gpu, y, {x: value, b: bias})
    assert names == {"bias_add_f32": 1}
    wide = bias.reshape(3, 1, 1) if data_format == "NCHW" else bias
    np.testing.assert_array_equal(got, np.maximum(value + wide, 0))


def test_shared_bias_result_is_kept(gpu):
    x, b = tf.placeholder(tf.float32, [4, 3]), tf.placeholder(tf.float32, [3])
    biased = tf.nn.bias_add(x, b)
    value, bias = numbers(4, 3), numbers(3, seed=1)
    both, _ = run(gpu, [tf.nn.relu(biased), biased], {x: value, b: bias})
    np.testing.assert_array_equal(both[0], np.maximum(value + bias, 0))
    np.testing.assert_array_equal(both[1], value + bias)


@pytest.mark.parametrize("config", [{}, ON_CPU])
def test_bias_length_mismatch_names_op(config):
    x, b = tf.placeholder(tf.float32, [None, None]), tf.placeholder(tf.float32, [None])
    y = tf.nn.relu(tf.nn.bias_add(x, b, name="biased"))
    with tf.Session(config=tf.ConfigProto(**config)) as session:
        with pytest.raises(
            tf.errors.InvalidArgumentError, match="Must provide as many biases"
        ) as caught:
            session.run(y, {x: np.ones((2, 3)), b: np.ones(2)})
    assert "[[node biased (defined" in caught.value.message


def test_group_returns_several_fetches(gpu):
    """Several results of one launch, including one read by other members."""
    x = tf.placeholder(tf.float32, [None, 3])
    product = x * 2.0
    bent, shifted = tf.tanh(product), product + 1.0
    a = numbers(4, 3)
    got, names = run(gpu, [product, bent, bent * shifted], {x: a})
    assert names == {"fused": 1}
    want = [a * 2, np.tanh(a * 2), np.tanh(a * 2) * (a * 2 + 1)]
    for one, other in zip(got, want):
        np.testing.assert_allclose(one, other, rtol=1e-6)


def test_group_is_not_extended_across_consumer(gpu):
    """The product separates the two groups."""
    x = tf.placeholder(tf.float32, [4, 4])
    first = tf.exp(x * 0.5)
    product = tf.matmul(first, first)
    second = tf.tanh(first + product) * product
    a = numbers(4, 4)
    got, names = run(gpu, second, {x: a})
    assert names["fused"] == 2
    b = np.exp(a * 0.5)
    np.testing.assert_allclose(got, np.tanh(b + b @ b) * (b @ b), rtol=1e-5)


def test_control_dependent_runs_after_group_member(gpu):
    x = tf.placeholder(tf.float32, [3])
    seen = tf.get_variable("seen", initializer=np.zeros(3, "f"))
    doubled = x * 2.0
    with tf.control_dependencies([doubled]):
        noted = seen.assign(tf.ones(3))
    with tf.control_dependencies([noted]):
        total = tf.exp(doubled) + seen.read_value()
    with tf.Session() as session:
        session.run(seen.initializer)
        np.testing.assert_allclose(session.run(total, {x: np.zeros(3)}), [2, 2, 2])


@pytest.mark.parametrize("y_shape", [(3,), (1, 3), (4, 1), (1, 1)])
@pytest.mark.parametrize("is_static", [True, False])
def test_broadcast_inputs(gpu, y_shape, is_static):
    x = tf.placeholder(tf.float32, [4 if is_static else None, 3])
    y = tf.placeholder(tf.float32, y_shape)
    a, b = numbers(4, 3), numbers(*y_shape, seed=1)
    got, names = run(gpu, tf.tanh(x * y) + y, {x: a, y: b})
    # For [None, 3] and [4, 1] the result's shape is known, but not whether it is the first one's.
    assert names["multiply"] == (not is_static and y_shape == (4, 1))
    assert names["fused"] == 1
    np.testing.assert_allclose(got, np.tanh(a * b) + b, rtol=1e-5)


def test_all_inputs_broadcast(gpu):
    x, y = tf.placeholder(tf.float32, [4, 1]), tf.placeholder(tf.float32, [3])
    a, b = numbers(4, 1), numbers(3, seed=1)
    got, names = run(gpu, tf.tanh(x * y), {x: a, y: b})
    assert names == {"fused": 1}
    np.testing.assert_allclose(got, np.tanh(a * b), rtol=1e-5)


def test_partial_broadcast_falls_back_to_single_op(gpu):
    x, y = tf.placeholder(tf.float32, [2, 4, 3]), tf.placeholder(tf.float32, [2, 1, 3])
    a, b = numbers(2, 4, 3), numbers(2, 1, 3, seed=1)
    got, names = run(gpu, tf.tanh(x * y) + 1.0, {x: a, y: b})
    assert names == {"multiply": 1, "fused": 1}
    np.testing.assert_allclose(got, np.tanh(a * b) + 1, rtol=1e-5)


def test_slices_are_read_in_place(gpu):
    x = tf.placeholder(tf.float32, [5, 12])
    i, j, f = tf.split(x, 3, axis=1)
    a = numbers(5, 12)
    got, names = run(gpu, tf.tanh(i) * j + f, {x: a})
    assert names == {"fused": 1}
    np.testing.assert_allclose(got, np.tanh(a[:, :4]) * a[:, 4:8] + a[:, 8:], rtol=1e-5)


def test_groups_do_not_span_branches(gpu):
    x, choice = tf.placeholder(tf.float32, [3]), tf.placeholder(tf.bool, [])
    doubled = x * 2.0
    z = tf.cond(choice, lambda: tf.exp(doubled) + 1.0, lambda: tf.tanh(doubled) - 1.0) * 3.0
    with tf.Session() as session:
        got = [session.run(z, {x: np.ones(3), choice: c}) for c in (True, False)]
    np.testing.assert_allclose(got[0], 3 * (np.exp(2) + np.ones(3)), rtol=1e-6)
    np.testing.assert_allclose(got[1], 3 * (np.tanh(2) - np.ones(3)), rtol=1e-5)


def test_loop_body_is_fused(gpu):
    x = tf.placeholder(tf.float32, [3, 5])
    _, y = tf.while_loop(
        lambda i, y: i < 4, lambda i, y: (i + 1, tf.tanh(y * x + 1.0) * tf.exp(-y)), [0, x]
    )
    fed = numbers(3, 5)
    value, launches = run(gpu, y, {x: fed})
    expected = fed
    for _ in range(4):
        expected = np.tanh(expected * fed + 1) * np.exp(-expected)
    np.testing.assert_allclose(value, expected, rtol=1e-5)
    assert launches == {"fused": 4}


def lstm_cell(units=4):
    """A cell that computes all gates by one product, its inputs, and its feeds."""
    x = tf.placeholder(tf.float32, [3, 5])
    c, h = (tf.placeholder(tf.float32, [3, units]) for _ in range(2))
    w = tf.placeholder(tf.float32, [5 + units, 4 * units])
    b = tf.placeholder(tf.float32, [4 * units])
    sums = tf.nn.bias_add(tf.matmul(tf.concat([x, h], 1), w), b)
    i, j, f, o = tf.split(sums, 4, axis=1)
    new_c = c * tf.sigmoid(f + 1.0) + tf.sigmoid(i) * tf.tanh(j)
    new_h = tf.tanh(new_c) * tf.sigmoid(o)
    inputs = [x, c, h, w, b]
    feed = {t: numbers(*t.shape.as_list(), seed=n) for n, t in enumerate(inputs)}
    return inputs, feed, (new_c, new_h)


def test_lstm_cell_is_one_launch_after_matmul(gpu):
    _, feed, state = lstm_cell()
    got, names = run(gpu, state, feed)
    assert (
        names["fused"] == 1 and names.total() == 3
    )  # and the concatenated inputs, and the product
    with tf.Session(config=tf.ConfigProto(**ON_CPU)) as session:
        for value, want in zip(got, session.run(state, feed)):
            np.testing.assert_allclose(value, want, rtol=1e-5, atol=1e-6)


def test_gate_gradients_are_one_launch(gpu):
    inputs, feed, (new_c, new_h) = lstm_cell()
    out = tf.matmul(new_h, tf.ones([4, 2]))  # between forward and backward
    grads = tf.gradients([new_c, out * out], inputs)
    got, names = run(gpu, grads, feed)
    assert names["fused"] == 3  # forward, products, backward
    with tf.Session(config=tf.ConfigProto(**ON_CPU)) as session:
        for value, want in zip(got, session.run(grads, feed)):
            np.testing.assert_allclose(value, want, rtol=1e-4, atol=1e-6)


def test_partially_shared_bias_is_kept_whole(gpu):
    x = tf.placeholder(tf.float32, [3, 4])
    b = tf.placeholder(tf.float32, [4])
    sums = tf.nn.bias_add(x * 2.0, b)
    left, right = tf.split(sums, 2, axis=1)
    feed = {x: numbers(3, 4), b: numbers(4, seed=1)}
    want = feed[x] * 2 + feed[b]
    for other in (tf.reduce_sum(right), sums, right):
        got, _ = run(gpu, [tf.tanh(left), other], feed)
        np.testing.assert_allclose(got[0], np.tanh(want[:, :2]), rtol=1e-5)
        if other is not sums:
            np.testing.assert_allclose(np.sum(got[1]), want[:, 2:].sum(), rtol=1e-4)
    rows, _ = run(gpu, [tf.tanh(row) for row in tf.split(sums, 3, axis=0)], feed)
    np.testing.assert_allclose(np.concatenate(rows), np.tanh(want), rtol=1e-5)


def test_independent_groups_are_not_joined(gpu):
    x, y = (tf.placeholder(tf.float32, [4]) for _ in range(2))
    joined = tf.concat([tf.tanh(x) * 2.0, tf.tanh(y) * 3.0], 0)
    value, names = run(gpu, joined, {x: np.ones(4), y: np.zeros(4)})
    assert names["fused"] == 2
    np.testing.assert_allclose(value, [2 * np.tanh(1)] * 4 + [0] * 4, rtol=1e-6)
