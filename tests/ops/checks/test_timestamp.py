"""Timestamp."""

import time

import tfmini as tf


def test_timestamp_is_evaluated_each_run():
    stamp = tf.timestamp()
    with tf.Session() as session:
        for _ in range(3):
            before = time.time()
            now = session.run(stamp)
            assert before <= now <= time.time()
        assert now.dtype == "float64"
