"""Session.make_callable."""

import pytest

import tfmini as tf
from tfmini._src.base import proto


def message_of(kind, function, *args, **kwargs):
    with pytest.raises(kind) as caught:
        function(*args, **kwargs)
    return str(caught.value)


def test_callables():
    a, b = (tf.placeholder(tf.float32, [], name=name) for name in "ab")
    v = tf.Variable(0.0)
    add = v.assign_add(1.0).op
    with tf.Session() as session:
        session.run(v.initializer)
        total = session.make_callable({"total": a + b, "parts": (a, [b])}, [a, b])
        assert total(1, 2) == {"total": 3.0, "parts": (1.0, [2.0])}
        assert total(1, 2, 3)["total"] == 3.0
        assert session.make_callable(a * 2.0, ["a:0"])(4) == 8.0
        step = session.make_callable(add)
        assert step() is None and step() is None
        assert session.make_callable(v)() == 2.0
        metadata = tf.RunMetadata()
        with_options = session.make_callable(v, accept_options=True)
        assert with_options(options=tf.RunOptions(), run_metadata=metadata) == 2.0
        assert message_of(TypeError, session.make_callable, a, {a: 1}) == (
            "`feed_list` must be a list or tuple."
        )
        assert (
            message_of(tf.errors.InvalidArgumentError, session.make_callable([]))
            == "Must specify at least one target to fetch or execute."
        )
        assert message_of(TypeError, session.make_callable, None).startswith("Fetch argument None")
    assert message_of(RuntimeError, total, 1, 2) == "Attempted to use a closed Session."
    for closed in (step, with_options):
        with pytest.raises(tf.errors.CancelledError, match="^Session has been closed.$"):
            closed()


def test_callable_of_closed_session(graph):
    tf.multiply(tf.placeholder(tf.float32, [], name="x"), 2.0, name="y")
    with tf.Session() as session:
        options = proto.CallableOptions(feed=["x:0"], fetch=["y:0"])
        step = session._make_callable_from_options(options)
        assert step(2.0) == [4.0]
    for values in ([2.0], []):
        with pytest.raises(tf.errors.CancelledError, match="^Session has been closed.$"):
            step(*values)


def test_repeated_fetches(graph):
    """As in TensorFlow 1.15.5: one value per name, in order."""
    x = tf.placeholder(tf.float32, [], name="x")
    tf.multiply(x, 2.0, name="y")
    tf.add(x, 1.0, name="z")
    with tf.Session() as session:
        options = proto.CallableOptions(feed=["x:0"], fetch=["z:0", "y:0", "z:0", "y:0"])
        assert session._make_callable_from_options(options)(5.0) == [6.0, 10.0, 6.0, 10.0]
        options.fetch_devices["z:0"] = "/device:CPU:0"
        assert session._make_callable_from_options(options)(2.0) == [3.0, 4.0, 3.0, 4.0]
