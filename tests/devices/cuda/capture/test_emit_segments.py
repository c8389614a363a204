"""Loops whose iterations replay as CUDA graphs, bit-identical, in two launches for up to eight iterations."""

import numpy as np
import pytest

import tfmini as tf
from tests.executor.capturing import compare, dense, gpus_with_graphs, graphs, session_on_gpu
from tfmini._src.devices.cuda import process_gpus as gpus

pytestmark = pytest.mark.usefixtures(gpus_with_graphs.__name__)

X = np.random.RandomState(4).randn(4, 6, 3).astype("f")


def several(session, fetches, count=4, feed=None):
    """The values of one or several fetches in `count` runs."""
    results = []
    for i in range(count):
        result = session.run(fetches, feed(i) if feed else None)
        results += result if isinstance(result, list) else [result]
    return results


def rounds(x, count=8):
    """A loop with a few launches per iteration."""
    w = tf.get_variable("w", [3, 3])

    def one(i, h):
        return (i + 1, tf.tanh(tf.matmul(h, w) + tf.reduce_sum(h)) * 0.5)

    return tf.while_loop(lambda i, h: i < count, one, [0, x])[1]


def test_eight_iterations_take_two_launches():
    with session_on_gpu() as (session, machine):
        x = tf.placeholder(tf.float32, [2, 3])
        short, long = rounds(x, 4), None
        with tf.variable_scope("", reuse=True):
            long = rounds(x, 24)
        session.run(tf.global_variables_initializer())
        counts = []
        for fetch in (short, long):
            several(session, fetch, feed=lambda _: {x: X[0, :2]})
            before = machine.counters.launches, graphs(machine)
            several(session, fetch, 1, feed=lambda _: {x: X[0, :2]})
            counts.append((machine.counters.launches - before[0], graphs(machine) - before[1]))
        (few, _), (many, replayed) = counts
        assert replayed == 24 // 8
        assert many - few == 2 * (24 // 8 - 1)


@pytest.mark.parametrize(
    "cell",
    ["lstm", *(pytest.param(cell, marks=pytest.mark.full) for cell in ("gru", "dropout"))],
)
def test_recurrent_training(cell, monkeypatch):
    """With its gradients' stacks and arrays."""

    def program(session):
        x = tf.placeholder(tf.float32, [4, None, 3])
        kind = tf.nn.rnn_cell.GRUCell if cell == "gru" else tf.nn.rnn_cell.LSTMCell
        result = kind(5)
        if cell == "dropout":
            result = tf.nn.rnn_cell.DropoutWrapper(result, 0.7, state_keep_prob=0.8, seed=2)
        lengths = tf.constant([3, 6, 1, 4])
        outputs, _ = tf.nn.dynamic_rnn(result, x, lengths, dtype=tf.float32)
        loss = tf.reduce_sum(tf.square(outputs) + outputs)
        step = tf.train.AdamOptimizer(0.05).minimize(loss)
        session.run(tf.global_variables_initializer())
        results = several(session, [loss, step], 5, lambda n: {x: X + n % 3})
        return [r for r in results if r is not None] + session.run(tf.global_variables())

    losses = compare(monkeypatch, program, 40)
    assert len({float(loss) for loss in losses[:5]}) > 2


def test_dynamic_shapes(monkeypatch):
    def program(session):
        x = tf.placeholder(tf.float32, [2, 3])

        def body(i, rows):
            new = tf.tanh(rows[:2] * 0.5 + tf.reduce_mean(rows)) + tf.sin(rows[-2:])
            return i + 1, tf.concat([rows, new], 0)

        start = [tf.constant(0), x]
        shapes = [tf.TensorShape([]), tf.TensorShape([None, 3])]
        _, rows = tf.while_loop(lambda i, rows: i < 6, body, start, shapes)
        grad = tf.gradients(tf.reduce_sum(rows), x)[0]
        return several(session, [rows, grad], 6, lambda n: {x: X[0, :2] + n})

    compare(monkeypatch, program, 6)


def test_nested_loops(monkeypatch):
    def program(session):
        x = tf.placeholder(tf.float32, [3, 3])
        w = tf.get_variable("w", [3, 3])

        def outer(i, h, total):
            def inner(j, g):
                return (j + 1, tf.tanh(tf.matmul(g, w) + h) * 0.9)

            _, g = tf.while_loop(lambda j, g: j < i + 2, inner, [0, h])
            return i + 1, tf.sin(g) + h * 0.1, total + tf.reduce_sum(g * h)

        _, h, total = tf.while_loop(lambda i, *_: i < 5, outer, [0, x, 0.0])
        grads = tf.gradients(total + tf.reduce_sum(h), [x, w])
        session.run(tf.global_variables_initializer())
        return several(session, [h, total, *grads], 4, lambda n: {x: X[0, :3] * (n + 1)})

    compare(monkeypatch, program, 30)


def test_cond_inside_loop(monkeypatch):
    def program(session):
        x = tf.placeholder(tf.float32, [2, 3])

        def body(i, h):
            g = tf.cond(
                tf.equal(i % 2, 0),
                lambda: tf.tanh(h * 2.0) + tf.reduce_sum(h),
                lambda: tf.sin(h) - tf.reduce_mean(tf.square(h) * 0.5),
            )
            return i + 1, tf.tanh(g * 0.5 + h) * 1.5

        _, h = tf.while_loop(lambda i, h: i < 9, body, [0, x])
        grad = tf.gradients(tf.reduce_sum(h), x)[0]
        return several(session, [h, grad], 4, lambda n: {x: X[0, :2] + n})

    compare(monkeypatch, program, 20)


def test_gpu_predicate(monkeypatch):
    def program(session):
        x = tf.placeholder(tf.float32, [2, 3])

        def body(h):
            return tf.tanh(h * 0.9) + h * 0.05 - tf.reduce_mean(h) * 0.01

        h = tf.while_loop(lambda h: tf.reduce_sum(tf.square(h)) > 0.1, body, [x])
        return several(session, h, 5, lambda n: {x: X[0, :2] * (n + 1)})

    compare(monkeypatch, program, 8)


def test_alternating_shapes(monkeypatch):
    """Two graphs share memory: loop invariants are copied again after the other graph has run."""
    size = 30  # so that one's memory beyond the first unit overlaps the next one's
    values = np.random.RandomState(5).rand(size, size).astype("f")

    def program(session):
        x, w = (tf.placeholder(tf.float32, [size, size]) for _ in range(2))
        fixed = tf.exp(w) + 1.0

        def body(i, h):
            g = tf.tanh(tf.matmul(h, fixed) * 0.01) * 0.5 + tf.reduce_sum(fixed) * 0.001
            return i + 1, tf.cond(i % 2 < 1, lambda: tf.concat([g, g], 0), lambda: g[:size])

        shapes = [tf.TensorShape([]), tf.TensorShape([None, size])]
        _, h = tf.while_loop(lambda i, h: i < 8, body, [0, x], shapes)
        return several(session, h, 5, lambda n: {x: values + n, w: values.T * n})

    compare(monkeypatch, program, 20)


@pytest.mark.parametrize("resource", [False, True])
def test_variables_in_loops(resource, monkeypatch):
    """Variables are read and assigned in iterations, and change between runs."""

    def program(session):
        with tf.variable_scope("", use_resource=resource):
            v = tf.get_variable("v", initializer=X[0, :3])
            w = tf.get_variable("w", initializer=X[1, :3] * 0.1)

        def body(i, h):
            with tf.control_dependencies([h]):
                read = v.read_value()
            g = tf.tanh(tf.matmul(read, w) + h) * 0.7
            with tf.control_dependencies([v.assign_add(g * 0.1)]):
                return i + 1, tf.sin(g) + read * 0.5

        _, h = tf.while_loop(lambda i, h: i < 6, body, [0, tf.zeros([3, 3])], parallel_iterations=1)
        with tf.control_dependencies([h]):
            after = w.assign(w * 0.9)
        session.run(tf.global_variables_initializer())
        results = several(session, [h, after], 5)
        v.load(X[2, :3], session)
        return results + several(session, [h, after], 3) + session.run([v, w])

    compare(monkeypatch, program, 10)


def test_variable_changed_by_some_iterations(monkeypatch):
    """In a separate segment, launched only in some iterations, with values from the other segments."""

    def program(session):
        x = tf.placeholder(tf.float32, [2, 3])
        v = tf.get_variable("v", initializer=X[0, 0], use_resource=True)

        def body(i, h):
            g = tf.tanh(h * 0.5) + tf.sin(h) - tf.reduce_mean(h)
            s = tf.reduce_sum(tf.tanh(g), 0) * tf.reduce_mean(g)

            def changed():
                more = tf.tanh(tf.reduce_sum(s) * s) - tf.reduce_max(s)
                with tf.control_dependencies([v.assign_add(more)]):
                    return tf.identity(i)

            with tf.control_dependencies([tf.cond(tf.equal(i % 4, 3), changed, lambda: i)]):
                return i + 1, tf.tanh(g + 0.25) * 0.5 - tf.reduce_mean(g)

        _, h = tf.while_loop(lambda i, _: i < 14, body, [0, x], parallel_iterations=1)
        session.run(tf.global_variables_initializer())
        results = several(session, h, 6, lambda n: {x: X[0, :2] + n})
        return [*results, session.run(v)]

    compare(monkeypatch, program, 10)


def test_random_ops_in_loops(monkeypatch):
    def program(session):
        def body(i, h):
            noise = tf.random_normal([3, 4], seed=3) * tf.random_uniform([3, 4])
            return i + 1, tf.tanh(h * 0.5 + noise)

        _, h = tf.while_loop(lambda i, h: i < 7, body, [0, tf.zeros([3, 4])])
        return several(session, h, 4)

    results = compare(monkeypatch, program, 6)
    assert len({r.tobytes() for r in results}) == 4


def test_tensor_arrays(monkeypatch):
    """Values written by an iteration survive later iterations of the same graph."""

    def program(session):
        x = tf.placeholder(tf.float32, [4, 6, 3])

        def body(i, h, written, both):
            row = tf.TensorArray(tf.float32, 6, element_shape=[4, 3]).unstack(
                tf.transpose(x, [1, 0, 2])
            )
            h = tf.tanh(h + row.read(i) * 0.3) - tf.reduce_mean(h)
            both = both.write(2 * i, h).write(2 * i + 1, tf.square(h) + 1.0)
            return i + 1, h, written.write(i, h * 2.0 + tf.exp(h)), both

        arrays = [tf.TensorArray(tf.float32, n, clear_after_read=False) for n in (6, 12)]
        _, _, written, both = tf.while_loop(
            lambda i, *_: i < 6, body, [0, tf.zeros([4, 3]), *arrays]
        )
        stacked = [written.stack(), both.stack(), written.concat()]
        grad = tf.gradients([tf.square(stacked[0]), stacked[1]], x)[0]
        return several(session, [*stacked, grad], 4, lambda n: {x: X * (n + 1)})

    compare(monkeypatch, program, 20)


def test_rows_indexed_by_loop_counter(monkeypatch):
    """A slice determined by a host number is taken outside the graph."""

    def program(session):
        x = tf.placeholder(tf.float32, [6, 3])

        def body(i, h):
            return (i + 1, tf.tanh(h * 0.5 + x[i] + tf.gather(x, 5 - i)) + tf.sin(h))

        _, h = tf.while_loop(lambda i, h: i < 6, body, [0, tf.zeros([3])])
        return several(session, h, 4, lambda n: {x: X[0] + n})

    compare(monkeypatch, program, 8)


def test_map_fn(monkeypatch):
    def program(session):
        x = tf.placeholder(tf.float32, [None, 3])
        w = tf.get_variable("w", [3, 3])
        mapped = tf.map_fn(lambda r: tf.tanh(tf.tensordot(r, w, 1) + r) * tf.reduce_sum(r), x)
        scanned = tf.scan(lambda h, r: tf.sin(h + r * 0.5) - tf.reduce_mean(h), x)
        grads = tf.gradients([mapped, scanned], [x, w])
        session.run(tf.global_variables_initializer())
        return several(session, [mapped, scanned, *grads], 4, lambda n: {x: X[n % 2, : 4 + n % 2]})

    compare(monkeypatch, program, 20)


def test_iteration_count(monkeypatch):
    """The condition is evaluated before each iteration, however many a graph could run at once."""

    def program(session):
        x, w = tf.placeholder(tf.float32, [2, 3]), tf.get_variable("w", [3, 3])
        most = tf.placeholder(tf.int32, [])

        def body(i, h, squares):
            g = tf.tanh(tf.matmul(h, w) + tf.reduce_sum(h)) * 0.5
            return i + 1, g, squares.write(i, tf.square(g))

        squares = tf.TensorArray(tf.float32, 0, dynamic_size=True, element_shape=[2, 3])
        count, h, squares = tf.while_loop(lambda i, *_: i < most, body, [0, x, squares])
        gradient = tf.gradients([tf.square(h), squares.stack()], w)[0]
        session.run(tf.global_variables_initializer())
        results = []
        for index in (*range(20), 16, 3, 9, 30, 0, 1):
            feed = {x: X[0, :2] + index, most: index}
            results += session.run([count, h, gradient], feed)
            assert results[-3] == index
        return results

    compare(monkeypatch, program, 40)


def test_accumulated_gradients(monkeypatch):
    """Each row is read twice, so each backward iteration writes its gradient twice: the second write accumulates."""

    def program(session):
        x = tf.placeholder(tf.float32, [4, 6, 3])
        rows = tf.TensorArray(tf.float32, 6, clear_after_read=False, element_shape=[4, 3])
        rows = rows.unstack(tf.transpose(x, [1, 0, 2]))

        def body(i, h):
            first, again = rows.read(i), rows.read(i)
            return i + 1, tf.tanh(h + first * 0.3) * tf.cos(again) - tf.reduce_mean(h)

        _, h = tf.while_loop(lambda i, _: i < 6, body, [0, tf.zeros([4, 3])])
        gradient = tf.gradients(tf.square(h), x)[0]
        return several(session, [h, gradient], 5, lambda n: {x: X * (n + 1)})

    compare(monkeypatch, program, 6)


def test_loop_invariants_are_copied_once():
    """A loop's weights are in the graph's memory from the first iteration on; each run copies them again."""
    with session_on_gpu() as (session, machine):
        x = tf.placeholder(tf.float32, [2, 3])
        w = tf.placeholder(tf.float32, [3, 3])

        def body(i, h):
            return (i + 1, tf.tanh(tf.matmul(h, w) + tf.reduce_sum(h)) * 0.5)

        _, h = tf.while_loop(lambda i, h: i < 5, body, [0, x])
        for index in range(6):
            fed = X[0, :3] * (index + 1)
            want = X[1, :2]
            for _ in range(5):
                want = np.tanh(want @ fed + want.sum()) * 0.5
            np.testing.assert_allclose(
                session.run(h, {x: X[1, :2], w: fed}), want, rtol=2e-5, atol=1e-6
            )
        assert graphs(machine) >= 12


def test_error_in_iteration_names_node():
    """The error names the node, and the loop works again afterwards."""
    with session_on_gpu() as (session, _):
        x = tf.placeholder(tf.float32, [3])
        last = tf.placeholder(tf.int32, [])

        def body(i, h):
            with tf.control_dependencies([tf.Assert(i < 5, [i], name="few")]):
                return i + 1, tf.tanh(h * 0.5) + tf.sin(h) - tf.reduce_sum(h)

        _, h = tf.while_loop(lambda i, h: i < last, body, [0, x])
        want = session.run(h, {x: X[0, 0], last: 5})
        for _ in range(3):
            with pytest.raises(tf.errors.InvalidArgumentError, match="few"):
                session.run(h, {x: X[0, 0], last: 7})
            np.testing.assert_array_equal(session.run(h, {x: X[0, 0], last: 5}), want)


def test_memory_is_constant():
    with session_on_gpu() as (session, _):
        x = tf.placeholder(tf.float32, [None, 3])
        h = rounds(x)
        session.run(tf.global_variables_initializer())
        (gpu,) = (gpu for _, gpu in gpus._gpus_by_index.values())
        used = []
        for i in range(60):
            session.run(h, {x: X[0, : 2 + i % 2]})
            used.append(gpu.pool.used_bytes())
        assert used[10] == used[-1]


def test_listing_explains_uncaptured_nodes(monkeypatch, capsys):
    monkeypatch.setattr("tfmini._src.compiler.program.debug.FLAGS", frozenset({"plan"}))
    with session_on_gpu() as (session, _):

        def body(i, h):
            return (i + 1, tf.tanh(h * 0.5) + tf.sin(h) - tf.reduce_sum(h))

        session.run(tf.while_loop(lambda i, h: i < 3, body, [0, tf.ones([3])]))
    text = capsys.readouterr().err
    assert "captured" in text and "def loop" in text
    assert "not captured: reads on the host a value that may change between runs" in text


def test_layer_between_loops(monkeypatch):
    def program(session):
        x = tf.placeholder(tf.float32, [4, 6, 3])
        forward, backward = (tf.nn.rnn_cell.BasicRNNCell(4) for _ in range(2))
        (a, b), _ = tf.nn.bidirectional_dynamic_rnn(forward, backward, x, dtype=tf.float32)
        y = dense(tf.reshape(tf.concat([a, b], 2), [24, 8]), 3)
        second, _ = tf.nn.dynamic_rnn(
            tf.nn.rnn_cell.MultiRNNCell([tf.nn.rnn_cell.GRUCell(3) for _ in range(2)]),
            tf.reshape(y, [6, 4, 3]),
            dtype=tf.float32,
            time_major=True,
        )
        loss = tf.reduce_mean(tf.square(second))
        step = tf.train.MomentumOptimizer(0.5, 0.9).minimize(loss)
        session.run(tf.global_variables_initializer())
        results = several(session, [loss, step], 4, lambda n: {x: X - n})
        return [r for r in results if r is not None] + session.run(tf.global_variables())

    compare(monkeypatch, program, 60)
