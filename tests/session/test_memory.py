"""Memory does not grow over runs, sessions and graphs; closed sessions release theirs."""

import gc
import sys
import tracemalloc
import weakref

import numpy as np

import tfmini as tf


def growth(work, times):
    """The growth in bytes over `times` calls after some warm-up calls: the minimum of three tries, since
    one-time growth is no leak.
    """
    for _ in range(5):
        work()
    results = []
    for _ in range(3):
        tracemalloc.start()
        try:
            work()
            before = traced()
            for _ in range(times):
                work()
            results.append(traced() - before)
        finally:
            tracemalloc.stop()
        if results[-1] < 2000:
            break
    return min(results)


def traced():
    """Bytes in use, excluding attribute names held by Python's method cache."""
    gc.collect()
    clear = "_clear_internal_caches" if sys.version_info >= (3, 13) else "_clear_type_cache"
    getattr(sys, clear)()
    return tracemalloc.get_traced_memory()[0]


def training():
    x = tf.placeholder(tf.float32, [None, 4])
    w = tf.get_variable("w", [4, 3], initializer=tf.ones_initializer())
    loss = tf.reduce_mean(tf.square(tf.matmul(x, w)))
    return x, loss, tf.train.AdamOptimizer().minimize(loss)


def test_repeated_runs_do_not_leak():
    x, loss, step = training()
    with tf.Session() as session:
        session.run(tf.global_variables_initializer())
        fed = np.ones([5, 4], "f")
        assert growth(lambda: session.run([loss, step], {x: fed}), 300) < 5000


def test_failing_runs_do_not_leak():
    x = tf.placeholder(tf.float32, [None])
    checked = tf.check_numerics(x, "bad")

    def work():
        try:
            session.run(checked, {x: [np.nan]})
        except tf.errors.InvalidArgumentError:
            return

    with tf.Session() as session:
        assert growth(work, 100) < 5000


def test_sessions_do_not_leak():
    x, loss, step = training()
    init = tf.global_variables_initializer()

    def work():
        with tf.Session() as session:
            session.run(init)
            session.run([loss, step], {x: np.ones([5, 4])})

    assert growth(work, 8) < 12_000


def test_graphs_do_not_leak():
    def work():
        with tf.Graph().as_default(), tf.Session() as session:
            x, _, step = training()
            session.run(tf.global_variables_initializer())
            session.run(step, {x: np.ones([5, 4])})

    assert growth(work, 4) < 24_000


def test_partial_runs_and_callables_do_not_leak():
    a = tf.placeholder(tf.float32, [])
    b = a * 2.0

    def work():
        handle = session.partial_run_setup([b], [a])
        session.partial_run(handle, b, {a: 1})
        session.make_callable(b, [a])(1)

    with tf.Session() as session:
        assert growth(work, 20) < 8_000


def test_closed_session_releases_variables():
    v = tf.Variable(tf.zeros([1000, 100]))
    session = tf.Session()
    session.run(v.initializer)
    session.run(v.assign_add(tf.ones([1000, 100])))
    cell = weakref.ref(session._resources.variable(v.op))
    session.close()
    gc.collect()
    assert cell() is None


def test_unclosed_session_is_collected():
    v = tf.Variable(tf.zeros([10]))
    session = tf.Session()
    session.run(v.initializer)
    gone = weakref.ref(session)
    del session
    gc.collect()
    assert gone() is None
