"""access_order: unordered reads and writes of reference variables, in the order TensorFlow 1.15.5 usually ran them."""

import numpy as np
import pytest

import tfmini as tf


def test_learning_rate_reads_incremented_step():
    """As in BERT's optimizers, where the constants of many layers precede the step's increment."""
    step, v = tf.train.get_or_create_global_step(), tf.Variable(1.0)
    rate = tf.train.polynomial_decay(0.5, step, 10, 0.0, cycle=False)
    train = tf.train.GradientDescentOptimizer(rate).minimize(
        tf.add_n([v / 64.0 for _ in range(192)])
    )
    both = tf.group(train, step.assign(step + 1))
    with tf.Session() as session:
        session.run(tf.global_variables_initializer())
        session.run(both)
        np.testing.assert_allclose(session.run(v), 1.0 - 0.45 * 3.0, rtol=1e-6)


@pytest.mark.parametrize(
    ("nodes", "dtype", "time"),
    [
        *((nodes, tf.int64, 2.0) for nodes in ("ut", "tu", "lut", "ltu")),
        *(("gut", tf.int64, 1.0), ("at", tf.int32, 1.0)),
    ],
)
def test_optimizer_orders_readers_of_a_step(nodes, dtype, time):
    """As in Keras' optimizers; the casts of int64 read the variable itself, after the reordered write or before."""
    step, w = tf.Variable(0, dtype=dtype), tf.Variable([1.0, 2.0])
    x = tf.placeholder(tf.float32, [None, 2])
    make = {
        "u": lambda: step.assign_add(1),
        "a": lambda: step.assign(step + 1),
        "t": lambda: tf.cast(step, tf.float32) + 1.0,
        "l": lambda: tf.reduce_sum(w * x),
        "g": lambda: tf.gradients(tf.reduce_sum(w * x), w)[0],
    }
    made = {name: make[name]() for name in nodes}
    fetches = list(made.values())
    if len(made) == 3:
        change = made["t"] * made.get("g", x[0])
        fetches = [tf.group(made["u"], w.assign(w - change)), made.get("l", x)]
    with tf.Session() as session:
        session.run(tf.global_variables_initializer())
        assert session.run([made["t"], fetches], {x: [[1.0, 1.0]]})[0] == time


def deep(x):
    for _ in range(8):
        x = tf.sin(x)
    return x


def test_shallow_reads_precede_deep_writes():
    v, x = tf.Variable([1.0, 2.0]), tf.placeholder(tf.float32, [2])
    change = v.assign_add(deep(x) + 1.0)
    later = v * 2.0
    target = tf.Variable([0.0, 0.0])
    copy = target.assign(v).op
    with tf.Session() as session:
        session.run(tf.global_variables_initializer())
        _, doubled, _ = session.run([change.op, later, copy], {x: [0.0, 0.0]})
        np.testing.assert_array_equal(doubled, [2.0, 4.0])
        np.testing.assert_array_equal(session.run(target), [1.0, 2.0])
        np.testing.assert_array_equal(session.run(v), [2.0, 3.0])


@pytest.mark.parametrize(
    "function", [lambda x, w, v: x @ w @ v, lambda x, w, v: tf.tile(x, [1024, 1]) * w[:, 0] * v]
)
def test_gradients_read_weights_before_their_update(function):
    """tf.gradients does not order them: with several threads, TensorFlow runs either first."""
    x, w, v = tf.placeholder(tf.float32, [1, 2]), tf.Variable([[1.0], [2.0]]), tf.Variable([[3.0]])
    gradients = tf.gradients(tf.reduce_sum(function(x, w, v) ** 2.0), [w, v])
    optimizer = tf.train.GradientDescentOptimizer(1.0)
    train = optimizer.apply_gradients(zip(gradients, [w, v]))
    with tf.Session() as session:
        session.run(tf.global_variables_initializer())
        w_new, v_new = session.run([w - gradients[0], v - gradients[1]], {x: [[1.0, 1.0]]})
        session.run(train, {x: [[1.0, 1.0]]})
        np.testing.assert_allclose(session.run(w), w_new, rtol=1e-5)
        np.testing.assert_allclose(session.run(v), v_new, rtol=1e-5)


def test_explicit_edge_determines_order():
    step = tf.Variable(0, dtype=tf.int64)
    increment = step.assign_add(1)
    with tf.control_dependencies([increment]):
        after = tf.cast(step.read_value(), tf.float32)
    with tf.Session() as session:
        session.run(tf.global_variables_initializer())
        assert session.run([increment, after]) == [1, 1.0]


def test_constant_after_write_stays_ordered():
    v = tf.Variable([1.0, 2.0])
    with tf.control_dependencies([v.assign([5.0, 6.0])]):
        after = v * 3.0
    with tf.Session() as session:
        session.run(tf.global_variables_initializer())
        _, result = session.run([v * 2.0, after])
        np.testing.assert_array_equal(result, [15.0, 18.0])
