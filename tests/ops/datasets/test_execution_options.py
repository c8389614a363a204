"""Datasets that sleep before each element."""

import time

import tfmini as tf


def test_sleep_is_in_microseconds(monkeypatch):
    slept = []
    monkeypatch.setattr(time, "sleep", slept.append)
    data = tf.data.Dataset.range(2)
    slow = tf.raw_ops.SleepDataset(
        input_dataset=data._variant_tensor,
        sleep_microseconds=tf.constant(2500, tf.int64),
        output_types=[tf.int64],
        output_shapes=[[]],
    )
    iterator = tf.raw_ops.IteratorV2(
        shared_name="", container="", output_types=[tf.int64], output_shapes=[[]]
    )
    start = tf.raw_ops.MakeIterator(dataset=slow, iterator=iterator)
    following = tf.raw_ops.IteratorGetNext(
        iterator=iterator, output_types=[tf.int64], output_shapes=[[]]
    )
    with tf.Session() as session:
        session.run(start)
        assert session.run(following) == [0]
        assert slept == [0.0025]
        assert session.run(following) == [1]
        assert slept == [0.0025] * 2
