"""Row reductions on a GPU, fused with adjacent elementwise nodes into one launch, with the CPU's results."""

import numpy as np
import pytest

import tfmini as tf

pytestmark = pytest.mark.usefixtures("gpu")

ON_CPU = {"device_count": {"GPU": 0}}


def numbers(*shape, seed=0):
    return np.random.RandomState(seed).randn(*shape).astype("f")


def compared(machine, fetches, feed, rtol=1e-5):
    """The launches of a run on a GPU, after comparing its results with the CPU's."""
    with tf.Session(config=tf.ConfigProto(**ON_CPU)) as session:
        want = session.run(fetches, feed)
    with tf.Session() as session:
        machine.counters.reset()
        got = session.run(fetches, feed)
        names = machine.counters.launch_names
    for one, other in zip(got, want):
        assert (one.dtype, one.shape) == (other.dtype, other.shape)
        np.testing.assert_allclose(one, other, rtol=rtol, atol=1e-5)
    return names


@pytest.mark.parametrize("sizes", [(2, 3, 5, 7), (2, 1, 5, 300)])
@pytest.mark.parametrize("known", [True, False])
def test_masked_softmax(gpu, sizes, known):
    batch, heads, rows, columns = sizes
    shape = sizes if known else (None, heads, rows, columns)
    scores = tf.placeholder(tf.float32, shape)
    mask = tf.placeholder(tf.float32, (shape[0], 1, 1, columns))
    y = tf.nn.softmax(scores * 0.5 + (1.0 - mask) * -1e4)
    bits = np.random.RandomState(3).randint(0, 2, (batch, 1, 1, columns))
    bits[..., 0] = 1
    names = compared(gpu, [y], {scores: numbers(*sizes), mask: bits})
    assert names["reduced"] and not names["softmax_f32"]
    assert names.total() <= 3


def test_softmax_gradient(gpu):
    x, grad = tf.placeholder(tf.float32, [6, 40]), tf.placeholder(tf.float32, [6, 40])
    y = tf.nn.softmax(x)
    feed = {x: numbers(6, 40), grad: numbers(6, 40, seed=1)}
    names = compared(gpu, tf.gradients(y, x, grad), feed)
    assert set(names) <= {"reduced", "softmax_f32"} and names.total() <= 2


@pytest.mark.parametrize("shape", [[4, 6, 20], [None, None, 20]])
def test_layer_norm(gpu, shape):
    x = tf.placeholder(tf.float32, shape)
    scale, offset = (tf.constant(numbers(20, seed=n)) for n in (1, 2))
    mean, variance = tf.nn.moments(x, [-1], keep_dims=True)
    y = tf.nn.batch_normalization(x, mean, variance, offset, scale, 1e-6)
    assert compared(gpu, [y], {x: numbers(4, 6, 20)}) == {"reduced": 1}
    grads = tf.gradients(y, [x])
    names = compared(gpu, [y, *grads], {x: numbers(4, 6, 20)}, rtol=1e-4)
    if None not in shape:
        assert names["reduced"] <= 2 and names.total() <= 6


@pytest.mark.parametrize("dtype", [tf.float32, tf.float64])
@pytest.mark.parametrize("keep_dims", [True, False])
def test_reductions_fuse_with_elementwise_producers(gpu, dtype, keep_dims):
    x, y = (tf.placeholder(dtype, [5, 30]) for _ in range(2))
    squares = tf.square(x - y)
    results = [
        tf.reduce_sum(squares, -1, keep_dims),
        tf.reduce_mean(squares * x, 1, keep_dims),
        tf.reduce_max(squares + y, [-1], keep_dims),
        squares,
    ]
    feed = {x: numbers(5, 30), y: numbers(5, 30, seed=1)}
    assert compared(gpu, results, feed) == {"reduced": 1}


def test_dependent_reductions_fuse_into_passes(gpu):
    """Each sum depends on the previous one; per-row values are computed once."""
    x = tf.placeholder(tf.float32, [9, 70])
    y = x - tf.reduce_mean(x, 1, keepdims=True)
    z = y / tf.sqrt(tf.reduce_sum(y * y, 1, keepdims=True) + 1.0)
    w = tf.nn.log_softmax(z * tf.exp(-tf.reduce_max(tf.abs(z), 1, keepdims=True)))
    assert compared(gpu, [w, y], {x: numbers(9, 70)}) == {"reduced": 1}


def test_incompatible_rows_are_not_fused(gpu):
    """Another axis, rows of different lengths, and a long row that several blocks reduce."""
    x, y = tf.placeholder(tf.float32, [6, 8]), tf.placeholder(tf.float32, [6, 5])
    names = compared(gpu, [tf.reduce_sum(tf.exp(x), 0)], {x: numbers(6, 8)})
    assert names["reduced"] == 0
    mixed = tf.reduce_sum(x * 2.0, 1, True) + tf.reduce_sum(tf.exp(y), 1, True)
    names = compared(gpu, [mixed], {x: numbers(6, 8), y: numbers(6, 5)})
    assert names["reduced"] == 2
    long = tf.placeholder(tf.float32, [1, 9000])
    names = compared(gpu, [tf.reduce_sum(tf.exp(long) + 1.0, 1)], {long: numbers(1, 9000)})
    assert names.total() > 1


@pytest.mark.parametrize("rows, others", [((4, 1), (4, 3)), ((1, 3), (4, 3)), ((4, 3), (1, 3))])
def test_runtime_broadcast_falls_back_to_single_nodes(gpu, rows, others):
    x, y = (tf.placeholder(tf.float32, [None, None]) for _ in range(2))
    z = tf.reduce_sum(tf.exp(x) * y, 1, keepdims=True)
    compared(gpu, [z], {x: numbers(*rows), y: numbers(*others, seed=1)})


def test_empty_input_launches_nothing(gpu):
    x = tf.placeholder(tf.float32, [None, 4])
    assert not compared(gpu, [tf.nn.softmax(x * 2.0)], {x: numbers(0, 4)})


def test_transposed_input(gpu):
    x = tf.placeholder(tf.float32, [7, 5])
    transposed = tf.transpose(x)
    y = tf.nn.softmax(transposed + tf.reduce_max(transposed, 1, keepdims=True))
    compared(gpu, [y], {x: numbers(7, 5)})


def test_fusion_next_to_variable_updates(gpu):
    x, w = tf.placeholder(tf.float32, [5, 8]), tf.get_variable("w", [5, 8], use_resource=True)
    loss = tf.reduce_sum(tf.reduce_mean(tf.square(tf.nn.softmax(x * w)), 1))
    step = tf.train.GradientDescentOptimizer(0.5).minimize(loss)
    with tf.Session() as session:
        session.run(w.initializer)
        losses = [session.run([loss, step], {x: numbers(5, 8)})[0] for _ in range(3)]
        assert losses[0] > losses[1] > losses[2] > 5 / 64
