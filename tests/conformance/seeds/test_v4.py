"""Row V4: A variable used as a tensor; assignments; values kept, private to a session."""

import pytest

import tfmini as tf
from tests.support import snippets


def test_output_matches_tensorflow():
    snippets.check("v4_use", tf)


def test_sessions_of_one_server_share_variables():
    server = tf.train.Server.create_local_server()
    try:
        with tf.Graph().as_default():
            v = tf.Variable(1.0)
            add, doubled = v.assign_add(1.0), v.assign(v * 2)
            with tf.Session(server.target) as one, tf.Session(server.target) as other:
                one.run(v.initializer)
                other.run(add)
                assert one.run(v) == 2.0
                doubled.op.run(session=one)
                assert other.run(v + 1.0) == 5.0
            with (
                tf.Session() as own,
                pytest.raises(
                    tf.errors.FailedPreconditionError,
                    match=r"^Attempting to use uninitialized value Variable\n",
                ),
            ):
                own.run(v)
    finally:
        server._stop()
