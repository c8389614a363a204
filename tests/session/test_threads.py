"""run from many threads: plans compiled once, independent runs, per-thread defaults."""

import threading

import numpy as np

import tfmini as tf
from tests.executor.state.test_resources import in_threads


def test_concurrent_runs_are_independent():
    x = tf.placeholder(tf.float32, [None])
    y = tf.exp(tf.reshape(x * 2.0, [-1])) + x
    with tf.Session() as session:

        def work(index):
            for step in range(20):
                size = 500 + 100 * index + step
                fed = np.full(size, index / 10, "f")
                got = session.run(y, {x: fed})
                assert got.shape == (size,)
                np.testing.assert_allclose(got, np.exp(fed * 2) + fed, rtol=1e-5)

        in_threads(12, work)


def test_concurrent_first_runs():
    x = tf.placeholder(tf.float32, [])
    v = tf.Variable(0.0)
    outputs = [x * float(n) for n in range(10)]
    add = v.assign_add(1.0, use_locking=True)
    with tf.Session() as session:
        session.run(v.initializer)
        barrier = threading.Barrier(10)

        def work(index):
            barrier.wait()
            session.run(add)
            for n, output in enumerate(outputs):
                assert session.run(output, {x: index}) == index * n

        in_threads(10, work)
        assert session.run(v) == 10


def test_graph_grows_during_runs():
    x = tf.placeholder(tf.float32, [])
    y = x + 1.0
    graph = tf.get_default_graph()
    with tf.Session() as session:

        def work(index):
            for step in range(30):
                if index:
                    assert session.run(y, {x: step}) == step + 1
                else:
                    with graph.as_default():
                        assert session.run(x * float(step), {x: 2}) == 2 * step

        in_threads(4, work)


def test_random_stream_never_repeats_across_threads():
    draw = tf.random_uniform([100], seed=3)
    seen = []
    with tf.Session() as session:
        in_threads(8, lambda index: seen.extend(session.run(draw)[0] for _ in range(20)))
    assert len(set(seen)) == len(seen) == 160


def test_default_stacks_are_per_thread():
    one = tf.constant(1)
    with tf.Session() as session:

        def work(index):
            assert tf.get_default_session() is None
            assert tf.get_default_graph() is not session.graph
            with session.as_default():
                assert one.eval() == 1
            with tf.Session(graph=session.graph):
                assert one.eval() == 1

        in_threads(4, work)
        assert tf.get_default_session() is session


def test_session_closed_during_step():
    v = tf.Variable(1.0)
    started, closed = threading.Event(), threading.Event()

    def wait(value):
        started.set()
        closed.wait(60)
        return value

    waited = tf.py_func(wait, [tf.constant(2.0)], tf.float32)
    with tf.control_dependencies([waited]):
        read_later = v.read_value()
    session = tf.Session()
    session.run(v.initializer)
    caught = []

    def work():
        try:
            session.run(read_later)
        except tf.errors.CancelledError as error:
            caught.append(error.message)

    thread = threading.Thread(target=work)
    thread.start()
    started.wait(60)
    session.close()
    closed.set()
    thread.join()
    assert caught == ["Run call was cancelled"]
