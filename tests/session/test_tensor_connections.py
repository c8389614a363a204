"""`CallableOptions.tensor_connection`; values and messages are TensorFlow 1.15.5's."""

import numpy as np
import pytest

import tfmini as tf
from tfmini._src.base import proto


@pytest.fixture
def session(graph):
    x = tf.placeholder(tf.float32, [], name="x")
    y = tf.placeholder(tf.float32, [], name="y")
    tf.constant(5.0, name="c")
    tf.constant(3, name="i")
    tf.constant([1.0, 2.0], name="v")
    a = tf.add(x, y, name="a")
    tf.multiply(a, 2.0, name="b")
    with tf.control_dependencies([y.op]):
        tf.add(x, 100.0, name="after_y")
    total = tf.Variable(1.0, name="total")
    tf.assign_add(total, y, name="grow")
    with tf.Session() as session:
        session.run(total.initializer)
        yield session


def step(session, connections, fetch, feed=("x:0",), **more):
    options = proto.CallableOptions(feed=feed, fetch=fetch, **more)
    for source, tensor in connections:
        options.tensor_connection.add(from_tensor=source, to_tensor=tensor)
    return session._make_callable_from_options(options)


@pytest.mark.parametrize(
    "connections, fetch, values",
    [
        ([("c:0", "y:0")], ["a:0", "b:0"], [6.0, 12.0]),
        ([("c", "y")], ["b:0"], [12.0]),
        ([("v:0", "y:0")], ["a:0"], [[2.0, 3.0]]),
        ([("c:0", "a:0")], ["b:0"], [10.0]),
        ([("y:0", "a:0"), ("c:0", "y:0")], ["b:0"], [10.0]),
        ([("c:0", "y:0")], ["after_y:0"], [101.0]),
    ],
)
def test_consumers_read_connected_source(session, connections, fetch, values):
    call = step(session, connections, fetch)
    for _ in range(2):
        result = call(np.float32(1))
        assert [np.asarray(value).tolist() for value in result] == values


def test_connected_step_updates_variables(session):
    call = step(session, [("c:0", "y:0")], ["a:0"], target=["grow"])
    assert call(np.float32([1, 2]))[0].tolist() == [6, 7]
    assert session.run("total:0") == 6


def test_replaced_source_is_not_fed(session):
    call = step(session, [("c:0", "y:0"), ("y:0", "a:0")], ["b:0"])
    with pytest.raises(tf.errors.InvalidArgumentError, match="placeholder tensor 'y'"):
        call(np.float32(1))


def test_traced_step_with_connections(session):
    timed = tf.RunOptions(trace_level=tf.RunOptions.FULL_TRACE)
    metadata = tf.RunMetadata()
    call = step(session, [("c:0", "y:0")], ["b:0"], run_options=timed)
    assert call(np.float32(1), run_metadata=metadata) == [12]
    assert metadata.step_stats.dev_stats


@pytest.mark.parametrize(
    "connections, text",
    [
        (["c:0 a:0"], "a:0 is both fed and fetched."),
        (
            ["i:0 y:0"],
            "Input 1 of node a was passed int32 from _identity_y_0:0 incompatible with expected float.",
        ),
        (["c:0 y:0", "x:0 y:0"], 'Endpoint "y:0" fed more than once.'),
        (
            ["b:0 y:0"],
            'Requested Tensor connection between nodes "y" and "b" would create a cycle.',
        ),
        (
            ["a:0 a:0"],
            'Requested Tensor connection between nodes "a" and "a" would create a cycle.',
        ),
        (["zz:0 y:0"], 'Requested tensor connection from unknown node: "y:0".'),
        (["c:q y:0"], 'Requested tensor connection from unknown node: "y:0".'),
        (
            ["c:1 y:0"],
            'Requested tensor connection from unknown edge: "y:0" (actual number of outputs = 1).',
        ),
        (["c:0 zz:0"], "FeedInputs: unable to find feed output zz:0"),
        (["c:0 y:1"], "FeedInputs: y:1 should have output index < 1"),
    ],
)
def test_invalid_connections(session, connections, text):
    is_absent = "unable to find" in text
    with pytest.raises(
        tf.errors.NotFoundError if is_absent else tf.errors.InvalidArgumentError
    ) as result:
        step(session, [pair.split() for pair in connections], ["a:0"])
    assert result.value.message == text


def test_server_rejects_connections(graph):
    tf.multiply(tf.placeholder(tf.float32, [], name="y"), tf.constant(2.0, name="c"), name="a")
    server = tf.train.Server.create_local_server()
    with (
        tf.Session(server.target) as session,
        pytest.raises(
            tf.errors.UnimplementedError, match="tensor_connection is not supported by remote"
        ),
    ):
        step(session, [("c:0", "y:0")], ["a:0"], feed=())
