"""Sessions: creation, defaults, closing, growing graphs, callables, options, containers."""

import warnings
from unittest import mock

import numpy as np
import pytest

import tfmini as tf
from tests.support.held_locks import waits_for
from tfmini._src.base import proto
from tfmini._src.session import compile_step as module


def message_of(kind, function, *args, **kwargs):
    with pytest.raises(kind) as caught:
        function(*args, **kwargs)
    return str(caught.value)


def test_invalid_arguments():
    assert message_of(TypeError, tf.Session, 3) == "target must be a string, but got <class 'int'>"
    assert message_of(TypeError, tf.Session, tf.ConfigProto()).endswith(
        '. Did you do "Session(config)" instead of "Session(config=config)"?'
    )
    assert (
        message_of(TypeError, tf.Session, graph=3)
        == "graph must be a tf.Graph, but got <class 'int'>"
    )
    assert message_of(TypeError, tf.Session, config=3) == (
        "config must be a tf.ConfigProto, but got <class 'int'>"
    )
    assert message_of(tf.errors.InvalidArgumentError, tf.Session, "grpc://nope") == (
        'Could not interpret "nope" as a host-port pair.'
    )
    config = tf.ConfigProto(allow_soft_placement=True)
    assert message_of(tf.errors.NotFoundError, tf.Session, "far://x", config=config) == (
        'No session factory registered for the given session options: {target: "far://x" config: '
        "allow_soft_placement: true} Registered factories are {DIRECT_SESSION, GRPC_SESSION}."
    )


def test_session_attributes(graph):
    tf.constant(1, name="one")
    with tf.Session() as session:
        assert session.graph is graph and session.sess_str == b""
        assert [node.name for node in session.graph_def.node] == ["one"]
        assert repr(session.list_devices()[0]).startswith(
            "_DeviceAttributes(/job:localhost/replica:0/task:0/device:CPU:0, CPU, 268435456, "
        )
    with tf.Session(config=tf.ConfigProto(device_count={"CPU": 3})) as session:
        assert [d.name[-1] for d in session.list_devices()] == ["0", "1", "2"]


def test_graph_grows_between_runs(graph):
    a = tf.placeholder_with_default(1.0, [])
    with tf.Session() as session:
        assert session.run(a + 1.0) == 2.0
        v = tf.Variable(a * 5.0)
        session.run(v.initializer)
        assert session.run([v, a]) == [5.0, 1.0]
        graph.finalize()
        assert session.run(v) == 5.0
        assert (
            message_of(RuntimeError, tf.constant, 1) == "Graph is finalized and cannot be modified."
        )


def test_session_state_is_independent():
    v = tf.Variable(1.0)
    draw = tf.random_uniform([], seed=1)
    add = v.assign_add(1.0)
    with tf.Session() as one, tf.Session() as other:
        one.run(v.initializer)
        other.run(v.initializer)
        one.run(add)
        assert (one.run(v), other.run(v)) == (2.0, 1.0)
        assert one.run(draw) == other.run(draw) != one.run(draw)


def test_session_survives_errors():
    x = tf.placeholder(tf.int32, [2])
    quotient = tf.floordiv([4, 6], x)
    with tf.Session() as session:
        for _ in range(3):
            with pytest.raises(
                tf.errors.InvalidArgumentError, match=r"^Integer division by zero\n"
            ):
                session.run(quotient, {x: [1, 0]})
            assert session.run(quotient, {x: [1, 2]}).tolist() == [4, 3]


def test_partial_run_rejects_foreign_tensors(graph):
    y = tf.multiply(tf.placeholder(tf.float32, name="x"), 2.0)
    with tf.Graph().as_default():
        stranger = tf.placeholder(tf.float32, name="stranger")
    with tf.Session() as session:
        for feed, reason in [
            (
                "no:0",
                "The name 'no:0' refers to a Tensor which does not exist. The operation, 'no', does not ",
            ),
            ("no", "The name 'no' looks like an (invalid) Operation name, not a Tensor. "),
            (stranger, f"Tensor {stranger} is not an element of this graph."),
        ]:
            text = message_of(TypeError, session.partial_run_setup, [y], [feed])
            start = f"Feed argument {feed!r} cannot be interpreted as a Tensor: {reason}"
            assert text.startswith(start)


def test_partial_run_setup_holds_session_lock():
    x = tf.placeholder(tf.float32, [])
    y = x * 2.0
    handles = []
    with tf.Session() as session:
        assert waits_for(session._lock, lambda: handles.append(session.partial_run_setup([y], [x])))
        assert session.partial_run(handles[0], y, {x: 3}) == 6.0


def test_options_and_metadata():
    doubled = tf.random_uniform([1]) * 2.0
    metadata = tf.RunMetadata()
    with tf.Session() as session:
        session.run(doubled, run_metadata=metadata)
        assert not metadata.partition_graphs
        options = tf.RunOptions(output_partition_graphs=True)
        session.run(doubled, options=options, run_metadata=metadata)
        (partition,) = metadata.partition_graphs
        assert len(partition.node) > 1
        assert {node.device for node in partition.node} == {
            "/job:localhost/replica:0/task:0/device:CPU:0"
        }
        assert "SerializeToString" in message_of(AttributeError, session.run, doubled, options=3)
        assert "ParseFromString" in message_of(AttributeError, session.run, doubled, run_metadata=3)


def test_reset_closes_open_sessions():
    v = tf.Variable(1.0)
    session = tf.Session()
    session.run(v.initializer)
    of_options = session._make_callable_from_options(
        proto.CallableOptions(fetch=["Variable/read:0"])
    )
    tf.Session.reset("")
    for step in (of_options, session.make_callable(v), lambda: session.run(v)):
        assert message_of(tf.errors.CancelledError, step) == "Session has been closed."
    with tf.Session() as another:
        another.run(v.initializer)
        assert another.run(v) == 1.0


@pytest.mark.parametrize("target", [3, ["a"]])
def test_reset_requires_string_target(target):
    text = f"Expected binary or unicode string, got {target!r}"
    assert message_of(TypeError, tf.Session.reset, target) == text


def test_interactive_session_count_is_locked(monkeypatch):
    lock = mock.MagicMock()
    monkeypatch.setattr(tf.InteractiveSession, "_count_lock", lock)
    session = tf.InteractiveSession()
    assert lock.__enter__.call_count == lock.__exit__.call_count == 1
    session.close()
    assert lock.__enter__.call_count == lock.__exit__.call_count == 2


def test_interactive_session_options():
    custom = tf.ConfigProto(inter_op_parallelism_threads=3)
    for config, grows in ((None, True), (custom, False)):
        session = tf.InteractiveSession(config=config)
        try:
            assert session._config.gpu_options.allow_growth is grows
            assert session._config.graph_options.place_pruned_graph
        finally:
            session.close()
    assert not custom.graph_options.place_pruned_graph


def test_interactive_sessions(graph):
    session = tf.InteractiveSession()
    three = tf.constant(3)
    assert three.eval() == 3 and tf.get_default_session() is session
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always")
        second = tf.InteractiveSession(graph=tf.Graph())
    assert "An interactive session is already active" in str(caught[0].message)
    assert tf.get_default_graph() is second.graph
    second.close()
    assert tf.get_default_session() is session and tf.get_default_graph() is graph
    session.close()
    assert tf.get_default_session() is None


def test_plan_is_compiled_once(monkeypatch):
    created = []
    compile_plan = module.compile_plan

    def counted(*args):
        created.append(args)
        return compile_plan(*args)

    monkeypatch.setattr(module, "compile_plan", counted)
    x = tf.placeholder(tf.float32, [None])
    y = x * 2.0
    with tf.Session() as session:
        for size in (1, 2, 3):
            session.run({"y": [y]}, {x: np.zeros(size)})
            session.run({"y": [y]}, {x: [1.0]})
        assert len(created) == 1
        tf.exp(y)
        session.run({"y": [y]}, {x: [1.0]})
        assert len(created) == 1
        session.run(y, {x: [1.0]})
        assert len(created) == 2


def test_devices_have_distinct_incarnations():
    with tf.Session(config=tf.ConfigProto(device_count={"CPU": 2})) as session:
        first, second = [device.incarnation for device in session.list_devices()]
    assert first and second and first != second
