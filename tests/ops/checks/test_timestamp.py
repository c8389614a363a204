"""Timestamp."""

import time

import tfmini as tf


def test_is_the_time_of_the_run():
    stamp = tf.timestamp()
    with tf.Session() as session:
        first = session.run(stamp)
        assert abs(first - time.time()) < 60
        assert first.dtype == "float64"
        assert session.run(stamp) >= first
