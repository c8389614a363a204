"""Repeated plans replay as CUDA graphs with bit-identical results, on the strict CuPy emulator."""

import numpy as np
import pytest

import tfmini as tf
from tests.executor.capturing import (
    OPTIMIZERS,
    X,
    Y,
    compare,
    dense,
    gpus_with_graphs,
    mean_entropy,
    network,
    session_on_gpu,
    trained,
)
from tfmini._src.devices.cuda.capture import partition, replay

pytestmark = pytest.mark.usefixtures(gpus_with_graphs.__name__)


@pytest.mark.parametrize("name", OPTIMIZERS)
def test_training(name, monkeypatch):
    def program(session):
        x, y, loss = network()
        return trained(session, x, y, loss, OPTIMIZERS[name]().minimize(loss))

    losses = compare(monkeypatch, program, 6)
    assert len({float(loss) for loss in losses[:8]}) == 8


def test_captured_dropout_draws_same_masks(monkeypatch):
    def program(session):
        x, y, loss = network(0.4)
        step = tf.train.GradientDescentOptimizer(0.1).minimize(loss)
        return trained(session, x, y, loss, step, (16,) * 5 + (24,) * 5 + (16, 24, 8, 16, 16, 24))

    assert len(set(compare(monkeypatch, program, 9)[:5])) == 5


def test_captured_random_ops_draw_same_values(monkeypatch):
    def program(session):
        drawn = [
            tf.random_uniform([20], seed=1) + tf.random_normal([20]) * tf.truncated_normal([20]),
            tf.cast(tf.random_uniform([20], 3, 90, tf.int32, seed=5), tf.float32) * 2.0,
        ]
        v = tf.Variable(tf.random_normal([50, 4]))
        results = []
        for _ in range(7):
            session.run(v.initializer)
            results += session.run([*drawn, v])
        return results

    compare(monkeypatch, program, 4)


def test_single_embedding_table_is_captured(monkeypatch):
    """Three nodes, among them an update that sorts its rows in several launches."""
    monkeypatch.setattr(partition, "_MIN_LAUNCHES", 4)

    def program(session):
        table = tf.get_variable("table", [30, 8])
        ids = tf.Variable([3, 0, 3, 29], trainable=False)
        loss = tf.reduce_sum(tf.square(tf.nn.embedding_lookup(table, ids)))
        step = tf.train.GradientDescentOptimizer(0.1).minimize(loss)
        session.run(tf.global_variables_initializer())
        return [session.run([step, table])[1] for _ in range(5)]

    compare(monkeypatch, program, replays=2)


@pytest.mark.parametrize("optimizer", ["sgd", "momentum", "adam"])
def test_embeddings(optimizer, monkeypatch):
    def program(session):
        words = tf.placeholder(tf.int64, [None, 5])
        y = tf.placeholder(tf.int64, [None])
        table = tf.get_variable("table", [30, 8])
        h = tf.reduce_sum(tf.nn.embedding_lookup(table, words), 1)
        loss = mean_entropy(dense(h, 3), y)
        step = OPTIMIZERS[optimizer]().minimize(loss)
        session.run(tf.global_variables_initializer())
        random = np.random.RandomState(2)
        results = []
        for _ in range(9):
            feed = {words: random.randint(0, 30, [16, 5]), y: Y[:16]}
            results.append(session.run([loss, step], feed)[0])
        return results + session.run(tf.global_variables())

    compare(monkeypatch, program)


def test_unrolled_lstm(monkeypatch):
    def program(session):
        x = tf.placeholder(tf.float32, [None, 4, 6])
        y = tf.placeholder(tf.int64, [None])
        c = h = tf.zeros([tf.shape(x)[0], 10])
        for part in tf.unstack(x, axis=1):
            gates = dense(tf.concat([part, tf.reshape(h, [-1, 10])], 1), 40, "lstm")
            i, j, f, o = tf.split(gates, 4, 1)
            c = c * tf.sigmoid(f + 1.0) + tf.sigmoid(i) * tf.tanh(j)
            h = tf.tanh(c) * tf.sigmoid(o)
        loss = mean_entropy(dense(h, 3), y)
        optimizer = tf.train.AdamOptimizer(0.01)
        gradients, variables = zip(*optimizer.compute_gradients(loss))
        clipped, norm = tf.clip_by_global_norm(gradients, 1.0)
        step = optimizer.apply_gradients(zip(clipped, variables))
        session.run(tf.global_variables_initializer())
        fed = np.random.RandomState(3).randn(8, 4, 6)
        results = []
        for index in range(7):
            results += session.run([loss, norm, step], {x: fed + index, y: Y[:8]})[:2]
        return results + session.run(tf.global_variables())

    compare(monkeypatch, program, 4)


@pytest.mark.parametrize("kind", ["fed", "decayed"])
def test_learning_rates(kind, monkeypatch):
    def program(session):
        x, y, loss = network()
        count = tf.train.get_or_create_global_step()
        rate = tf.placeholder_with_default(0.1, [])
        if kind == "decayed":
            rate = tf.train.exponential_decay(0.5, count, 2, 0.7)
        step = tf.train.GradientDescentOptimizer(rate).minimize(loss, count)
        session.run(tf.global_variables_initializer())
        results = []
        for i in range(9):
            feed = {x: X, y: Y}
            if kind == "fed":
                feed[rate] = 0.5 / (1 + i)
            results += session.run([loss, rate, step], feed)[:2]
        return results + session.run(tf.global_variables())

    compare(monkeypatch, program, 5)


def test_variables_change_between_runs(monkeypatch):
    def program(session):
        x, y, loss = network()
        step = OPTIMIZERS["momentum"]().minimize(loss)
        init = tf.global_variables_initializer()
        w = tf.global_variables()[0]
        zeroed = tf.assign(w, tf.zeros_like(w))
        doubled = w.assign_add(w)
        feed = {x: X, y: Y}
        session.run(init)
        results = []
        changes = [
            lambda: session.run(zeroed),
            lambda: session.run(doubled),
            lambda: w.load(np.full([6, 40], 0.25, "f"), session),
            lambda: session.run(init),
        ]
        for change in changes * 2:
            for _ in range(5):
                results.append(session.run([loss, step], feed)[0])
            change()
            results.append(session.run(w))
        return results

    compare(monkeypatch, program, 15)


def test_variable_changes_shape(monkeypatch):
    def program(session):
        v = tf.get_variable("v", initializer=tf.ones([4, 3]), validate_shape=False)
        shrunk = tf.assign(v, tf.ones([2, 3]) * 5.0, validate_shape=False)
        total = tf.exp(-tf.square(v) * 0.1 + 1.0) / tf.reduce_sum(tf.abs(v) + 1.0)
        step = tf.assign(v, v - total, validate_shape=False)
        session.run(v.initializer)
        results = []
        for change in (shrunk, v.initializer, shrunk):
            for _ in range(12):
                results += session.run([total, step.op])[:1]
            session.run(change)
            results.append(session.run(v))
        return results

    compare(monkeypatch, program, 6)


def test_read_before_update_sees_old_value(monkeypatch):
    def program(session):
        v = tf.get_variable("v", initializer=np.ones([30, 30], "f"))
        before = tf.identity(v)
        with tf.control_dependencies([before]):
            step = v.assign_sub(tf.tanh(tf.square(tf.sin(v)) * 0.5 + 0.1))
        with tf.control_dependencies([step]):
            after = before * 2.0 - v
        session.run(v.initializer)
        results = []
        for _ in range(7):
            results += session.run([before, after])
        return results

    compare(monkeypatch, program, 4)


def test_loop_updates_do_not_affect_earlier_reads(monkeypatch):
    """Elementwise nodes before and after the loop may be fused into one launch."""

    def program(session):
        v = tf.get_variable("v", initializer=np.ones([30, 30], "f"))
        before = tf.sin(v * 2.0)
        with tf.control_dependencies([before]):
            start = tf.constant(0) + 0

        def body(i):
            with tf.control_dependencies([v.assign_add(v * 0.25)]):
                return i + 1

        loop = tf.while_loop(lambda i: i < 3, body, [start])
        with tf.control_dependencies([loop]):
            after = tf.cos(tf.sin(before * 0.5) + 1.0) * 2.0 + v.read_value()
        session.run(v.initializer)
        return [session.run([before, after]) for _ in range(5)]

    results = compare(monkeypatch, program)
    value = 1.0
    for before, after in results:
        expected = np.sin(value * 2.0)
        value *= 1.25**3
        np.testing.assert_allclose(before, expected, rtol=1e-5)
        want = np.cos(np.sin(expected * 0.5) + 1.0) * 2.0 + value
        np.testing.assert_allclose(after, want, rtol=1e-5)


def test_cond_outputs_enter_segments(monkeypatch):
    def program(session):
        v = tf.get_variable("v", initializer=np.ones([30, 30], "f"))
        other = tf.random_uniform([30, 30], seed=1)
        chosen = tf.placeholder(tf.bool, [])
        value = tf.cond(chosen, lambda: v, lambda: other * 2.0)
        with tf.control_dependencies([value]):
            step = v.assign(tf.matmul(v, tf.sin(v)) * 0.1)
        with tf.control_dependencies([step]):
            after = tf.matmul(tf.reshape(value, [30, 30]), tf.exp(tf.tanh(value) * 0.5)) - v
        session.run(v.initializer)
        return [session.run([value, after], {chosen: i % 2 == 0}) for i in range(8)]

    compare(monkeypatch, program)


def test_resource_variables(monkeypatch):
    def program(session):
        with tf.variable_scope("", use_resource=True):
            x, y, loss = network(0.2)
        step = OPTIMIZERS["adam"]().minimize(loss)
        return trained(session, x, y, loss, step)

    compare(monkeypatch, program, 5)


def test_batch_sizes_are_captured_separately(monkeypatch):
    def program(session):
        x, y, loss = network()
        step = OPTIMIZERS["adam"]().minimize(loss)
        return trained(session, x, y, loss, step, (16, 16, 16, 16, 7, 16, 7, 7, 7, 7, 16, 16, 7, 3))

    compare(monkeypatch, program, 7)


def test_many_batch_sizes(monkeypatch):
    def program(session):
        x, y, loss = network()
        step = OPTIMIZERS["sgd"]().minimize(loss)
        return trained(session, x, y, loss, step, tuple(range(1, 13)) * 6)

    compare(monkeypatch, program, 20)


def test_python_between_segments(monkeypatch):
    def program(session):
        x = tf.placeholder(tf.float32, [None])
        a = tf.tanh(tf.sin(x) * 2.0 + tf.cos(x)) * tf.exp(-x)
        seen = []

        def note(value):
            seen.append(value.copy())
            return np.float32(len(seen)) * value

        b = tf.py_func(note, [a], tf.float32)
        b.set_shape([None])
        c = tf.reduce_sum(tf.tanh(tf.sin(b) * 2.0 + tf.cos(b)) * tf.exp(-a))
        results = []
        for i in range(8):
            results += session.run([a, c], {x: np.full(700, i, "f")})
        return results + seen

    compare(monkeypatch, program, 8)


def test_branches(monkeypatch):
    def program(session):
        x = tf.placeholder(tf.float32, [None])
        on = tf.placeholder(tf.bool, [])
        v = tf.get_variable("v", initializer=np.ones([], "f"))

        def changed():
            step = v.assign_add(tf.reduce_mean(tf.exp(tf.sin(x) * tf.cos(x) + tf.tanh(x))))
            with tf.control_dependencies([step]):
                return tf.identity(step) * 1.0

        y = tf.cond(on, changed, lambda: tf.reduce_sum(tf.tanh(tf.exp(tf.sin(x) * tf.cos(x)))))
        session.run(v.initializer)
        results = []
        for i in range(16):
            results += session.run([y, v], {x: np.full(600, i, "f"), on: i % 3 == 0})
        return results

    compare(monkeypatch, program)


def test_uncaptured_segment_keeps_last_inputs(monkeypatch, capsys):
    """A fully captured plan is compiled once."""
    monkeypatch.setattr("tfmini._src.compiler.program.debug.FLAGS", frozenset({"plan"}))
    with session_on_gpu() as (session, _):
        x = tf.placeholder(tf.float32, [400, 10])
        total = tf.reduce_sum(tf.exp(tf.reshape(tf.sin(x) * 2.0, [10, 400])))
        for _ in range(3):
            session.run(total, {x: np.ones([400, 10])})
    lines = [line.strip() for line in capsys.readouterr().err.splitlines()]
    assert sum(line.startswith("<tfmini plan ") for line in lines) == 1
    index = next(i for i, line in enumerate(lines) if line.startswith("inputs = [t"))
    name = lines[index].removeprefix("inputs = [").removesuffix("]")
    assert lines[index + 1] == f"{name} = None"
    assert "captured0(inputs)" in lines[index + 2]


def test_dropped_graphs_are_recaptured_with_backoff():
    known = replay._ShapeRecord()
    waits = [known.runs_needed]
    for _ in range(6):
        known.drop()
        waits.append(known.runs_needed)
    assert waits == [2, 8, 32, 128, 512, 1000, 1000]


def test_matmuls_run_uncaptured_without_cublas(monkeypatch):
    def program(session):
        x, y, loss = network()
        return trained(session, x, y, loss, OPTIMIZERS["adam"]().minimize(loss))

    compare(monkeypatch, program, cublas=lambda: None)


def test_several_gpus(monkeypatch):
    def program(session):
        x = tf.placeholder(tf.float32, [None, 6])
        w = tf.get_variable("w", [6, 20])
        gradients = []
        for i in range(2):
            with tf.device(f"/gpu:{i}"):
                h = tf.nn.dropout(tf.tanh(tf.matmul(x * (i + 1.0), w)), rate=0.3)
                gradients.append(tf.gradients(tf.reduce_mean(tf.square(h)), w)[0])
        step = tf.train.MomentumOptimizer(0.1, 0.9).apply_gradients(
            [(tf.add_n(gradients) / 2.0, w)]
        )
        session.run(tf.global_variables_initializer())
        results = []
        for i in range(8):
            session.run(step, {x: X + i})
            results.append(session.run(w))
        return results

    compare(monkeypatch, program, 8, devices=2)


@pytest.mark.parametrize("dtype", ["f", "F"])
@pytest.mark.parametrize("adjoint_a, adjoint_b", [(False, True), (True, False), (True, True)])
@pytest.mark.parametrize("batches", [((2, 4), (2, 4)), ((4,), (2, 1)), ((3,), ())])
def test_batched_matmuls(dtype, adjoint_a, adjoint_b, batches, monkeypatch):
    random = np.random.RandomState(4)

    def matrices(batch, rows, columns):
        parts = random.randn(2, *batch, rows, columns)
        return (parts[0] + 1j * parts[1] if dtype == "F" else parts[0]).astype(dtype)

    left = matrices(batches[0], *((5, 3) if adjoint_a else (3, 5)))
    right = matrices(batches[1], *((2, 5) if adjoint_b else (5, 2)))

    def program(session):
        a = tf.placeholder(tf.as_dtype(left.dtype), left.shape)
        b = tf.placeholder(tf.as_dtype(left.dtype), right.shape)
        product = tf.matmul(a, b, adjoint_a=adjoint_a, adjoint_b=adjoint_b)
        return [session.run(product, {a: left, b: right}) for _ in range(5)]

    got = compare(monkeypatch, program, 3)
    a = left.swapaxes(-1, -2).conj() if adjoint_a else left
    b = right.swapaxes(-1, -2).conj() if adjoint_b else right
    np.testing.assert_allclose(got[0], np.matmul(a, b), rtol=1e-5, atol=1e-5)
