"""Row T6: Sessions with and without `with`, nested fetches, InteractiveSession."""

import pytest

import tfmini as tf
from tests.support import snippets


def test_output_matches_tensorflow():
    snippets.check("t6_sessions", tf)


def test_sessions_on_server():
    server = tf.train.Server.create_local_server()
    try:
        with tf.Graph().as_default() as graph:
            x = tf.placeholder(tf.float32, [])
            y = x * 2.0
        with tf.Session(server.target, graph=graph) as session:
            assert session.run({"a": [y, (x,)]}, {x: 3.0}) == {"a": [6.0, (3.0,)]}
            assert y.eval({x: 4.0}) == 8.0
            y.op.run({x: 1.0})
            with pytest.raises(TypeError, match="Fetch argument None has invalid type"):
                session.run(None)
        session = tf.InteractiveSession(server.target, graph=graph)
        assert y.eval({x: 5.0}) == 10.0
        session.close()
    finally:
        server._stop()
