"""Tensors of unreferenced handles: dropped ten at a time, as in TensorFlow 1.15.5."""

import gc
import weakref

import pytest

import tfmini as tf


@pytest.fixture(scope="module")
def server():
    server = tf.train.Server.create_local_server()
    yield server.target.replace("localhost", "127.0.0.1")
    server._stop()


@pytest.fixture(params=["local", "wire"])
def session(request):
    target = "" if request.param == "local" else request.getfixturevalue("server")
    with tf.Session(target) as session:
        yield session


@pytest.fixture
def handles(session):
    """`handles(n)` creates n handles and keeps only their text; `handles.there(texts)` tells which tensors exist."""
    kept = tf.get_session_handle(tf.constant([1.0, 2.0]))
    first = session.run(kept)
    holder, value = tf.get_session_tensor(first.handle, tf.float32)

    def make(count):
        return [session.run(kept).handle for _ in range(count)]

    def is_there(text):
        try:
            return session.run(value, {holder: text}).tolist() == [1.0, 2.0]
        except tf.errors.InvalidArgumentError as error:
            assert f"The tensor with handle '{text}' is not in the session store." in str(error)
            return False

    make.there = lambda texts: [is_there(text) for text in texts]
    make.first = first
    return make


def test_ten_handles_are_deleted_together(session, handles):
    texts = handles(9)
    assert handles.there(texts) == [True] * 9
    texts += handles(1)
    if session._remote is None:  # a server is notified by the step that creates the next handle
        assert handles.there(texts) == [False] * 10
    texts += handles(1)
    assert handles.there(texts) == [False] * 10 + [True]
    texts = texts[-1:] + handles(8)
    assert handles.there(texts) == [True] * 9
    assert handles.there((texts + handles(2))[:10]) == [False] * 10
    assert handles.first.eval().tolist() == [1.0, 2.0]


def test_raw_handles_persist(session, handles):
    kept = tf.get_session_handle(tf.constant([1.0, 2.0]))
    texts = [session.run(kept).get_raw_handle() for _ in range(12)]
    assert handles.there(texts) == [True] * 12


def test_finalized_graph_gets_no_nodes(graph, session, handles):
    handles(1)
    graph.finalize()
    count = len(graph.get_operations())
    last = handles(13)[-1]
    assert handles.there([last]) == [True]
    assert len(graph.get_operations()) == count


def test_handles_do_not_retain_graph():
    with tf.Graph().as_default() as graph, tf.Session() as session:
        handle = session.run(tf.get_session_handle(tf.constant([1.0, 2.0])))
        inputs = tf.placeholder(tf.float32)
        assert session.run(inputs * 2, {inputs: handle}).tolist() == [2.0, 4.0]
        handle.delete()
    dropped = weakref.ref(graph)
    del graph, session, handle, inputs
    gc.collect()
    assert dropped() is None
