"""The kinds of step that a master session caches."""

from functools import partial

import pytest

import tfmini as tf
from tfmini._src.cluster import master_session
from tfmini._src.cluster.master_stub import LOCAL
from tfmini._src.executor.asynchronous_run import run_blocking


@pytest.fixture
def two_step_limit(monkeypatch):
    """Limits session caches to two kinds of step."""
    monkeypatch.setattr(master_session, "_MAX_STEPS", 2)


@pytest.fixture
def server():
    result = tf.train.Server.create_local_server()
    yield result
    result._stop()


def sessions_of(server):
    """The sessions on a server."""
    return list(server._master._sessions.values())


def test_running_step_survives_cache_eviction(two_step_limit, server):
    queue = tf.FIFOQueue(1, [tf.float32])
    put, take = queue.enqueue(5.0), queue.dequeue()
    others = [tf.constant(float(i)) for i in range(5)]

    def run_others(running):
        assert [session.run(other) for other in others] == [0, 1, 2, 3, 4]

    with tf.Session(server.target) as session:
        session.run(put)
        (own,) = sessions_of(server)
        key = master_session.StepKey((), (take.name,), ())
        begin = partial(own.run, key, [], None, None, run_others)
        values, _ = run_blocking(begin, lambda: None)
        assert values == [5.0]


def test_idle_steps_are_evicted(two_step_limit, server):
    constants = [tf.constant(float(i)) for i in range(5)]
    with tf.Session(server.target) as session:
        for _ in range(2):
            assert [session.run(each) for each in constants] == [0, 1, 2, 3, 4]
            (own,) = sessions_of(server)
            assert [key.fetches for key in own._steps] == [(c.name,) for c in constants[3:]]


def test_partial_run_steps_are_evicted(two_step_limit, server):
    feed = tf.placeholder(tf.float32)
    sums = [feed + float(i) for i in range(5)]
    with tf.Session(server.target) as session:
        for i, each in enumerate(sums):
            handle = session.partial_run_setup([each], [feed])
            assert session.partial_run(handle, each, {feed: 1.0}) == 1.0 + i
        (own,) = sessions_of(server)
        assert [key.fetches for key in own._steps] == [(each.name,) for each in sums[3:]]


def test_step_with_failed_begin_is_forgotten(server):
    one = tf.constant(1.0)
    with tf.Session(server.target) as session:
        session.run(one)
        (own,) = sessions_of(server)

        def gone(running):
            raise tf.errors.AbortedError(None, None, "The client disconnected.")

        with pytest.raises(tf.errors.AbortedError, match="^The client disconnected"):
            key = master_session.StepKey((), (one.name,), ())
            run_blocking(partial(own.run, key, [], None, None, gone), lambda: None)
        assert not own._running


@pytest.mark.parametrize("is_local", [True, False])
def test_partial_runs_accept_targets(server, is_local, monkeypatch):
    if not is_local:
        monkeypatch.delitem(LOCAL, server.target)
    feed = tf.placeholder(tf.float32, [])
    count = tf.Variable(1.0)
    added, doubled = count.assign_add(feed).op, feed * 2
    with tf.Session(server.target) as session:
        session.run(count.initializer)
        handle = session.partial_run_setup([added, doubled], [feed])
        assert session.partial_run(handle, doubled, {feed: 3.0}) == 6.0
        assert session.run(count) == 4.0
