"""Plans that repeat are replayed as CUDA graphs, with the same results: on the strict fake of CuPy, whose graphs run
the recorded work again on the same memory.
"""

import contextlib
import threading

import numpy as np
import pytest

import tfmini as tf
from tests import fake_cupy
from tests.gpus import fake_gpus
from tfmini.backend.gpu import device
from tfmini.backend.gpu import machine as gpus
from tfmini.runtime import stretches

X = np.random.RandomState(0).randn(64, 6).astype("f")
Y = np.random.RandomState(1).randint(0, 3, 64)


@pytest.fixture(autouse=True)
def cublas(monkeypatch):
    monkeypatch.delenv("CUDA_VISIBLE_DEVICES", raising=False)
    monkeypatch.delenv("TFMINI_CUDA_GRAPHS", raising=False)
    monkeypatch.setenv("TF_FORCE_GPU_ALLOW_GROWTH", "true")
    monkeypatch.setattr(device, "open_cublas", fake_cupy.cublas.Library)
    monkeypatch.setattr(stretches, "_FEWEST", 1)


@contextlib.contextmanager
def session_on_gpu(**options):
    """A session on one of the fake's GPUs, in a graph of its own."""
    with fake_gpus(**{"devices": 1, **options}) as machine, tf.Graph().as_default():
        tf.set_random_seed(7)
        with tf.Session() as session:
            yield session, machine


def graphs(machine):
    """How many graphs have been launched."""
    return machine.counters.launch_names["graph"]


def compare(monkeypatch, program, replays=1, **options):
    """Runs `program(session)`, which gives arrays, with graphs and without, and compares them bit for bit."""
    monkeypatch.setenv("TFMINI_CUDA_GRAPHS", "0")
    with session_on_gpu(**options) as (session, machine):
        want = program(session)
        assert not graphs(machine)
    monkeypatch.setenv("TFMINI_CUDA_GRAPHS", "1")
    with session_on_gpu(**options) as (session, machine):
        got = program(session)
        count = graphs(machine)
    assert len(got) == len(want)
    for number, (a, b) in enumerate(zip(got, want)):
        assert np.asarray(a).tobytes() == np.asarray(b).tobytes(), number
    assert count >= replays
    return want


def dense(x, size, name="dense"):
    """A layer without activation."""
    with tf.variable_scope(name, reuse=tf.AUTO_REUSE):
        w = tf.get_variable("kernel", [x.shape[1], size])
        return tf.nn.bias_add(tf.matmul(x, w), tf.get_variable("bias", [size]))


def network(rate=None):
    """A small classifier, whose loss depends on `x` [batch, 6] and `y` [batch]."""
    x = tf.placeholder(tf.float32, [None, 6], name="x")
    y = tf.placeholder(tf.int64, [None], name="y")
    w = tf.get_variable("w", [6, 40])
    b = tf.get_variable("b", [40], initializer=tf.zeros_initializer())
    h = tf.nn.relu(tf.matmul(x, w) + b)
    if rate is not None:
        h = tf.nn.dropout(h, rate=rate)
    logits = dense(h, 3)
    return x, y, mean_entropy(logits, y)


def mean_entropy(logits, labels):
    entropies = tf.nn.sparse_softmax_cross_entropy_with_logits(labels=labels, logits=logits)
    return tf.reduce_mean(entropies)


def trained(session, x, y, loss, step, sizes=(16,) * 8):
    """The losses of so many steps with these batch sizes, and the variables after them."""
    session.run(tf.global_variables_initializer())
    results = []
    for number, size in enumerate(sizes):
        start = number * 5 % (len(X) - size)
        feed = {x: X[start : start + size], y: Y[start : start + size]}
        results.append(session.run([loss, step], feed)[0])
    return results + session.run(tf.global_variables())


OPTIMIZERS = {
    "sgd": lambda: tf.train.GradientDescentOptimizer(0.1),
    "momentum": lambda: tf.train.MomentumOptimizer(0.1, 0.9),
    "adam": lambda: tf.train.AdamOptimizer(0.01),
    "rmsprop": lambda: tf.train.RMSPropOptimizer(0.01),
    "ftrl": lambda: tf.train.FtrlOptimizer(0.1),
}


@pytest.mark.parametrize("name", OPTIMIZERS)
def test_training(name, monkeypatch):
    def program(session):
        x, y, loss = network()
        return trained(session, x, y, loss, OPTIMIZERS[name]().minimize(loss))

    losses = compare(monkeypatch, program, 6)
    assert len({float(loss) for loss in losses[:8]}) == 8


def test_a_step_is_one_launch_and_its_copies():
    with session_on_gpu() as (session, machine):
        x, y, loss = network()
        step = tf.train.AdamOptimizer().minimize(loss)
        session.run(tf.global_variables_initializer())
        run = session.make_callable(step, [x, y])
        for _ in range(4):
            run(X, Y)
        before = machine.counters.launches
        run(X, Y)
        assert machine.counters.launches - before == 1


def test_dropout_draws_what_it_draws_otherwise(monkeypatch):
    def program(session):
        x, y, loss = network(0.4)
        step = tf.train.GradientDescentOptimizer(0.1).minimize(loss)
        return trained(session, x, y, loss, step, (16,) * 5 + (24,) * 5 + (16, 24, 8, 16, 16, 24))

    assert len(set(compare(monkeypatch, program, 9)[:5])) == 5


def test_other_draws(monkeypatch):
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


def test_an_unrolled_lstm(monkeypatch):
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
        for number in range(7):
            results += session.run([loss, norm, step], {x: fed + number, y: Y[:8]})[:2]
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
        for number in range(9):
            feed = {x: X, y: Y}
            if kind == "fed":
                feed[rate] = 0.5 / (1 + number)
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


def test_a_variable_of_another_shape(monkeypatch):
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


def test_a_value_that_is_read_before_it_changes(monkeypatch):
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


def test_resource_variables(monkeypatch):
    def program(session):
        with tf.variable_scope("", use_resource=True):
            x, y, loss = network(0.2)
        step = OPTIMIZERS["adam"]().minimize(loss)
        return trained(session, x, y, loss, step)

    compare(monkeypatch, program, 5)


def test_a_variable_without_a_value_is_an_error_as_ever(monkeypatch):
    with session_on_gpu() as (session, machine):
        v = tf.get_variable("v", initializer=np.ones([30], "f"))
        total = tf.reduce_sum(tf.exp(tf.sin(v) * 2.0) + tf.cos(v) * tf.tanh(v))
        session.run(v.initializer)
        for _ in range(6):
            want = session.run(total)
        count = graphs(machine)
        assert count
        session._resources.variable(v.op).clear()
        for _ in range(6):
            with pytest.raises(tf.errors.FailedPreconditionError, match="uninitialized value v"):
                session.run(total)
        session.run(v.initializer)
        for _ in range(12):
            assert session.run(total) == want
        assert graphs(machine) > count


def test_batches_of_several_sizes(monkeypatch):
    def program(session):
        x, y, loss = network()
        step = OPTIMIZERS["adam"]().minimize(loss)
        return trained(session, x, y, loss, step, (16, 16, 16, 16, 7, 16, 7, 7, 7, 7, 16, 16, 7, 3))

    compare(monkeypatch, program, 7)


def test_very_many_sizes(monkeypatch):
    def program(session):
        x, y, loss = network()
        step = OPTIMIZERS["sgd"]().minimize(loss)
        return trained(session, x, y, loss, step, tuple(range(1, 13)) * 6)

    compare(monkeypatch, program, 20)


def test_results_stay_as_they_are():
    with session_on_gpu() as (session, machine):
        x = tf.placeholder(tf.float32, [None])
        a = tf.sin(x) * 2.0 + 1.0
        b = tf.reduce_sum(tf.exp(a) * tf.cos(x))
        kept = []
        for number in range(8):
            kept.append((number, session.run([a, b], {x: np.full(1000, number, "f")})))
        assert graphs(machine) > 3
        for number, (first, second) in kept:
            want = np.sin(np.float32(number)) * 2 + 1
            np.testing.assert_allclose(first, np.full(1000, want), rtol=1e-6)
            np.testing.assert_allclose(
                second, np.exp(want) * np.cos(np.float32(number)) * 1000, rtol=1e-4
            )


def test_python_between_stretches(monkeypatch):
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
        for number in range(8):
            results += session.run([a, c], {x: np.full(700, number, "f")})
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
        for number in range(16):
            results += session.run([y, v], {x: np.full(600, number, "f"), on: number % 3 == 0})
        return results

    compare(monkeypatch, program)


def test_what_cannot_be_recorded_splits_a_stretch():
    with session_on_gpu() as (session, machine):
        x = tf.placeholder(tf.float32, [None])
        a = tf.tanh(tf.sin(x) * 2.0 + tf.cos(x)) * tf.exp(-x)
        chosen = tf.boolean_mask(a, a > 0.1)  # its size is asked of the card
        b = tf.reduce_sum(tf.tanh(tf.sin(chosen) * 2.0 + tf.cos(chosen)) * tf.exp(-chosen))
        fed = np.linspace(0, 3, 900).astype("f")
        want = session.run(b, {x: fed})
        for _ in range(9):
            assert session.run(b, {x: fed}) == want
        assert graphs(machine)


def test_without_cublas_products_run_one_by_one(monkeypatch):
    monkeypatch.setattr(device, "open_cublas", lambda: None)

    def program(session):
        x, y, loss = network()
        return trained(session, x, y, loss, OPTIMIZERS["adam"]().minimize(loss))

    compare(monkeypatch, program)


def test_the_switch(monkeypatch):
    monkeypatch.setenv("TFMINI_CUDA_GRAPHS", "0")
    with session_on_gpu() as (session, machine):
        x, y, loss = network()
        trained(session, x, y, loss, OPTIMIZERS["sgd"]().minimize(loss))
        assert not graphs(machine)


def test_threads_and_sessions():
    with fake_gpus(devices=1) as machine, tf.Graph().as_default():
        x = tf.placeholder(tf.float32, [None])
        v = tf.get_variable("v", initializer=np.zeros([500], "f"))
        y = tf.reduce_sum(tf.tanh(tf.sin(x) * 2.0 + tf.cos(x)) * tf.exp(-x))
        step = v.assign_add(tf.sin(x) * tf.cos(x) * tf.exp(x) * 0.0 + tf.ones_like(x)).op
        sessions = [tf.Session(), tf.Session()]
        errors = []

        def work(session, number):
            try:
                fed = np.full(500, number / 4, "f")
                want = session.run(y, {x: fed})
                for _ in range(20):
                    assert session.run([y, step], {x: fed})[0] == want
            except BaseException as error:
                errors.append(error)

        for session in sessions:
            session.run(v.initializer)
        threads = [
            threading.Thread(target=work, args=(session, n))
            for n in range(2)
            for session in sessions
        ]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
        assert not errors
        assert [session.run(v)[0] for session in sessions] == [40, 40]
        assert graphs(machine) > 40
        for session in sessions:
            session.close()


def test_memory_stays_as_it_is():
    with session_on_gpu(memory=64 << 20) as (session, _):
        x, y, loss = network(0.3)
        step = OPTIMIZERS["adam"]().minimize(loss)
        session.run(tf.global_variables_initializer())
        (gpu,) = (gpu for _, gpu in gpus._made.values())
        used = []
        for number in range(200):
            session.run([loss, step], {x: X[: 32 + number % 2], y: Y[: 32 + number % 2]})
            used.append(gpu.pool.used_bytes())
        assert used[20] == used[-1]
        assert max(used) < gpu.limit_bytes


def test_graphs_make_room():
    """Where memory is short, the blocks of graphs are given back: a step that fits without them still does."""
    with session_on_gpu(memory=400 << 20) as (session, machine):
        x = tf.placeholder(tf.float32, [None])
        y = tf.reduce_sum(tf.tanh(tf.sin(x) * 2.0 + tf.cos(x)) * tf.exp(-x))
        for size in (1 << 20, 3 << 20, 5 << 20, 1 << 23):
            fed = np.ones(size, "f")
            want = session.run(y, {x: fed})
            for _ in range(4):
                assert session.run(y, {x: fed}) == want
        assert graphs(machine) > 4
        (gpu,) = (gpu for _, gpu in gpus._made.values())
        assert gpu.pool.used_bytes() < gpu.limit_bytes


def test_what_fails_between_replays():
    with session_on_gpu() as (session, machine):
        x = tf.placeholder(tf.float32, [None])
        size = tf.placeholder(tf.int32, [2])
        a = tf.tanh(tf.sin(x) * 2.0 + tf.cos(x)) * tf.exp(-x)
        b = tf.reduce_sum(tf.reshape(a, size) * 2.0, 0)
        fed = np.ones(600, "f")
        want = session.run(b, {x: fed, size: [6, 100]})
        for _ in range(6):
            assert session.run(b, {x: fed, size: [6, 100]}).tobytes() == want.tobytes()
            with pytest.raises(tf.errors.InvalidArgumentError, match="600 values.*700") as failed:
                session.run(b, {x: fed, size: [7, 100]})
            assert failed.value.op is b.op.inputs[0].op.inputs[0].op
        assert graphs(machine)


def test_several_gpus(monkeypatch):
    def program(session):
        x = tf.placeholder(tf.float32, [None, 6])
        w = tf.get_variable("w", [6, 20])
        gradients = []
        for number in range(2):
            with tf.device(f"/gpu:{number}"):
                h = tf.nn.dropout(tf.tanh(tf.matmul(x * (number + 1.0), w)), rate=0.3)
                gradients.append(tf.gradients(tf.reduce_mean(tf.square(h)), w)[0])
        step = tf.train.MomentumOptimizer(0.1, 0.9).apply_gradients(
            [(tf.add_n(gradients) / 2.0, w)]
        )
        session.run(tf.global_variables_initializer())
        results = []
        for number in range(8):
            session.run(step, {x: X + number})
            results.append(session.run(w))
        return results

    compare(monkeypatch, program, 8, devices=2)
