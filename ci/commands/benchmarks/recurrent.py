"""Workloads on loops and recurrent networks, for both sides; also run under Python 3.7."""

import gc

import numpy as np

from ci.commands.benchmarks.workloads import Step, memory, once, open_session, reset_peak, steady


@steady
def while_scalars(tf):
    """100,000 iterations on two scalars."""
    limit = tf.constant(100000)
    count, total = tf.while_loop(
        lambda i, s: i < limit, lambda i, s: (i + 1, s + tf.cast(i, tf.float32)), [0, 0.0]
    )
    session = open_session(tf)
    return Step(lambda: session.run([count, total]), lambda: session.run(total))


@steady
def map_rows(tf):
    """map_fn over the 10,000 rows of a matrix."""
    rows = np.random.RandomState(0).rand(10000, 16).astype(np.float32)
    x = tf.placeholder(tf.float32, [None, 16])
    y = tf.map_fn(lambda row: row * 2.0 + tf.reduce_sum(row), x)
    session = open_session(tf)
    feed = {x: rows}
    return Step(lambda: session.run(y, feed), lambda: session.run(y, feed).sum())


@steady
def static_lstm(tf):
    """A training step of an LSTM of 128 units unrolled over the 28 rows of 28 x 28 pictures, batch 128."""
    random = np.random.RandomState(0)
    x = tf.placeholder(tf.float32, [128, 28, 28])
    labels = tf.placeholder(tf.int32, [128])
    cell = tf.nn.rnn_cell.BasicLSTMCell(128)
    with tf.variable_scope("rnn", initializer=fixed_initializer(tf, random)):
        outputs, _ = tf.nn.static_rnn(cell, tf.unstack(x, axis=1), dtype=tf.float32)
        logits = tf.matmul(outputs[-1], tf.get_variable("out", [128, 10]))
    loss = tf.reduce_mean(
        tf.nn.sparse_softmax_cross_entropy_with_logits(labels=labels, logits=logits)
    )
    train = tf.train.GradientDescentOptimizer(0.01).minimize(loss)
    session = open_session(tf)
    feed = {x: random.rand(128, 28, 28).astype(np.float32), labels: np.arange(128) % 10}
    return Step(lambda: session.run(train, feed), lambda: session.run(loss, feed))


def fixed_initializer(tf, random):
    """Identical weights for both sides."""

    def initializer(shape, dtype=None, partition_info=None):
        dims = [int(d) for d in shape]
        return tf.constant((random.rand(*dims) - 0.5).astype(np.float32) * 0.2)

    return initializer


def dynamic_network(tf):
    """Two dynamic LSTM layers of 200 units, 50 steps, batch 20, clipped: its session, train, loss and feed."""
    random = np.random.RandomState(0)
    x = tf.placeholder(tf.float32, [20, 50, 200])
    cell = tf.nn.rnn_cell.MultiRNNCell([tf.nn.rnn_cell.BasicLSTMCell(200) for _ in range(2)])
    with tf.variable_scope("rnn", initializer=fixed_initializer(tf, random)):
        outputs, _ = tf.nn.dynamic_rnn(cell, x, dtype=tf.float32)
    loss = tf.reduce_mean(tf.square(outputs - x))
    variables = tf.trainable_variables()
    grads, _ = tf.clip_by_global_norm(tf.gradients(loss, variables), 5.0)
    train = tf.train.GradientDescentOptimizer(1.0).apply_gradients(zip(grads, variables))
    feed = {x: random.rand(20, 50, 200).astype(np.float32)}
    return open_session(tf), train, loss, feed


@steady
def dynamic_lstm(tf):
    session, train, loss, feed = dynamic_network(tf)
    return Step(lambda: session.run(train, feed), lambda: session.run(loss, feed))


def cell_step(tf, outputs_of):
    """A gradient descent step on `outputs_of(x)`, x: batch 32, 40 steps of 64."""
    random = np.random.RandomState(0)
    x = tf.placeholder(tf.float32, [32, 40, 64])
    with tf.variable_scope("rnn", initializer=fixed_initializer(tf, random)):
        outputs = outputs_of(x)
    loss = tf.reduce_mean(tf.square(outputs))
    train = tf.train.GradientDescentOptimizer(0.1).minimize(loss)
    session = open_session(tf)
    feed = {x: random.rand(32, 40, 64).astype(np.float32)}
    return Step(lambda: session.run(train, feed), lambda: session.run(loss, feed))


@steady
def dynamic_gru(tf):
    cell = tf.nn.rnn_cell.GRUCell(128)
    return cell_step(tf, lambda x: tf.nn.dynamic_rnn(cell, x, dtype=tf.float32)[0])


@steady
def bidirectional_lstm(tf):
    cells = [tf.nn.rnn_cell.BasicLSTMCell(128) for _ in range(2)]
    run = tf.nn.bidirectional_dynamic_rnn
    return cell_step(tf, lambda x: tf.concat(run(*cells, x, dtype=tf.float32)[0], 2))


@once
def dynamic_lstm_memory(tf):
    """Peak MB that training steps of the dynamic LSTM add to the session's memory."""
    session, train, loss, feed = dynamic_network(tf)
    gc.collect()
    reset_peak()
    before = memory()
    for _ in range(10):
        session.run(train, feed)
    return {"peak": memory("VmHWM") - before, "check": float(session.run(loss, feed))}


@once
def loop_leak(tf):
    """MB of resident memory that 10,000 runs of a loop and its gradient add after 1,000 runs."""
    x = tf.placeholder(tf.float32, [20])
    y = tf.while_loop(lambda i, v: i < 5, lambda i, v: (i + 1, v * tf.sin(v)), [0, x])[1]
    (grad,) = tf.gradients(tf.reduce_sum(y), x)
    session = open_session(tf)
    feed = {x: np.ones([20], np.float32)}
    for _ in range(1000):
        session.run([y, grad], feed)
    gc.collect()
    before = memory()
    for _ in range(10000):
        session.run([y, grad], feed)
    gc.collect()
    return {"growth": memory() - before}
