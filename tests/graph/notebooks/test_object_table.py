"""Tables of tensors and sessions in notebooks."""

from xml.etree import ElementTree

import tfmini as tf


def rows(value):
    """The rows of an object's table, which must be well-formed."""
    table = ElementTree.fromstring(value._repr_html_())
    return [tuple(cell.text for cell in row) for row in table.iter("tr")]


def test_tensor_table():
    x = tf.placeholder(tf.float32, [None, 2], name="x")
    about = [("dtype", "float32"), ("shape", "(?, 2)"), ("operation", "Placeholder")]
    assert rows(x) == [("tensor", "x:0"), *about]
    with tf.device("/gpu:0"):
        y = tf.identity(x)
    assert rows(y)[-1] == ("device", "/device:GPU:0")


def test_text_is_escaped():
    with tf.device("/job:a&b"):
        assert rows(tf.constant(1))[-1] == ("device", "/job:a&b")


def test_session_table():
    tf.constant(1)
    with tf.Session() as session:
        device = ("device", "/job:localhost/replica:0/task:0/device:CPU:0")
        assert rows(session) == [
            ("session", "open, in this process"),
            ("graph", "1 operations"),
            device,
        ]
    assert rows(session)[0] == ("session", "closed, in this process")


def test_remote_session_table():
    server = tf.train.Server.create_local_server()
    with tf.Session(server.target) as session:
        assert rows(session) == [
            ("session", f"open, at {server.target}"),
            ("graph", "0 operations"),
        ]
