"""Groups of elementwise nodes on a GPU: one launch each, op by op where shapes do not suit that."""

import numpy as np
import pytest

import tfmini as tf
from tests.gpus import fake_gpus
from tfmini.graph.opdef import raw
from tfmini.runtime.fused_kernels import RECIPES

ON_CPU = {"device_count": {"GPU": 0}}


@pytest.fixture(autouse=True)
def gpu(monkeypatch):
    monkeypatch.delenv("CUDA_VISIBLE_DEVICES", raising=False)
    monkeypatch.setenv("TF_FORCE_GPU_ALLOW_GROWTH", "true")
    with fake_gpus(devices=1) as machine:
        yield machine


def run(machine, fetches, feed):
    """The fetches' values and the names of the launches."""
    with tf.Session() as session:
        machine.counters.reset()
        values = session.run(fetches, feed)
        return values, machine.counters.launch_names


def numbers(*shape, dtype="f", seed=0):
    return np.asarray(np.random.RandomState(seed).randn(*shape), dtype)


@pytest.mark.parametrize("dtype", [tf.float32, tf.float64])
@pytest.mark.parametrize("shape", [[3, 5], [None, 5], [0, 4], []])
def test_a_group_is_one_launch(gpu, shape, dtype):
    x, y = (tf.placeholder(dtype, shape) for _ in range(2))
    z = tf.tanh(x * y + 1.0) * tf.exp(-x) - y
    sizes = [3 if size is None else size for size in shape]
    a, b = (numbers(*sizes, dtype=dtype.as_numpy_dtype, seed=n) for n in range(2))
    value, names = run(gpu, z, {x: a, y: b})
    assert set(names) <= {"fused"}
    assert names.total() == (0 if 0 in sizes else 1)
    np.testing.assert_allclose(value, np.tanh(a * b + 1) * np.exp(-a) - b, rtol=1e-5)


def test_one_op_by_itself_is_left_to_its_function(gpu):
    x = tf.placeholder(tf.float32, [4])
    assert run(gpu, tf.exp(x), {x: np.ones(4)})[1] == {"exp": 1}


SPECIAL = [-np.inf, -90.0, -3.0, -0.5, -0.0, 0.0, 0.5, 3.0, 90.0, np.inf, np.nan]


@pytest.mark.parametrize("name", RECIPES)
def test_every_recipe(gpu, name):
    """As the CPU's kernel has it, special values too."""
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


def test_a_sum_of_many(gpu):
    inputs = [tf.placeholder(tf.float32, [6]) for _ in range(5)]
    values = [numbers(6, seed=n) for n in range(5)]
    got, names = run(gpu, tf.add_n(inputs), dict(zip(inputs, values)))
    assert names == {"fused": 1}
    np.testing.assert_allclose(got, sum(values), rtol=1e-6)


def test_a_sum_of_too_many_for_one_kernel(gpu):
    inputs = [tf.placeholder(tf.float32, [6]) for _ in range(40)]
    values = [numbers(6, seed=n) for n in range(40)]
    got, _ = run(gpu, tf.add_n(inputs), dict(zip(inputs, values)))
    np.testing.assert_allclose(got, sum(values), rtol=1e-5, atol=1e-6)


def test_a_chain_with_too_many_inputs_is_cut(gpu):
    inputs = [tf.placeholder(tf.float32, [6]) for _ in range(100)]
    values = [numbers(6, seed=n) for n in range(100)]
    total = inputs[0]
    for each in inputs[1:]:
        total = total + each
    got, names = run(gpu, total, dict(zip(inputs, values)))
    assert names.total() <= 5
    np.testing.assert_allclose(got, sum(values), rtol=1e-5, atol=1e-5)


def test_what_turns_out_to_broadcast_is_computed_op_by_op(gpu):
    x, y = (tf.placeholder(tf.float32, [None, None]) for _ in range(2))
    a, b = numbers(4, 3), numbers(1, 3, seed=1)
    got, names = run(gpu, tf.sigmoid(x * y + 1.0), {x: a, y: b})
    assert names["fused"] == 0
    np.testing.assert_allclose(got, 1 / (1 + np.exp(-(a * b + 1))), rtol=1e-5)


@pytest.mark.parametrize("config", [{}, ON_CPU])
def test_shapes_that_do_not_fit_are_told_of_the_op(config):
    x, y = (tf.placeholder(tf.float32, [None]) for _ in range(2))
    z = tf.exp(tf.multiply(x, y, name="product"))
    with tf.Session(config=tf.ConfigProto(**config)) as session:
        with pytest.raises(
            tf.errors.InvalidArgumentError, match=r"Incompatible shapes: \[2\] vs. \[3\]"
        ) as caught:
            session.run(z, {x: [1, 2], y: [1, 2, 3]})
    assert "[[node product (defined" in caught.value.message


@pytest.mark.parametrize("data_format, shape", [("NHWC", (4, 3)), ("NCHW", (2, 3, 4, 5))])
def test_a_bias_with_its_relu(gpu, data_format, shape):
    x, b = tf.placeholder(tf.float32, shape), tf.placeholder(tf.float32, [3])
    y = tf.nn.relu(tf.nn.bias_add(x, b, data_format=data_format))
    value, bias = numbers(*shape), numbers(3, seed=1)
    got, names = run(gpu, y, {x: value, b: bias})
    assert names == {"bias_add_f32": 1}
    wide = bias.reshape(3, 1, 1) if data_format == "NCHW" else bias
    np.testing.assert_array_equal(got, np.maximum(value + wide, 0))


def test_a_bias_that_is_read_twice_keeps_its_value(gpu):
    x, b = tf.placeholder(tf.float32, [4, 3]), tf.placeholder(tf.float32, [3])
    biased = tf.nn.bias_add(x, b)
    value, bias = numbers(4, 3), numbers(3, seed=1)
    both, _ = run(gpu, [tf.nn.relu(biased), biased], {x: value, b: bias})
    np.testing.assert_array_equal(both[0], np.maximum(value + bias, 0))
    np.testing.assert_array_equal(both[1], value + bias)


@pytest.mark.parametrize("config", [{}, ON_CPU])
def test_a_bias_of_another_length_is_told(config):
    x, b = tf.placeholder(tf.float32, [None, None]), tf.placeholder(tf.float32, [None])
    y = tf.nn.relu(tf.nn.bias_add(x, b, name="biased"))
    with tf.Session(config=tf.ConfigProto(**config)) as session:
        with pytest.raises(
            tf.errors.InvalidArgumentError, match="Must provide as many biases"
        ) as caught:
            session.run(y, {x: np.ones((2, 3)), b: np.ones(2)})
    assert "[[node biased (defined" in caught.value.message
