"""Straight-line plans: no loops, no waits, and sizes determined by shapes."""

import pytest

import tfmini as tf
from tfmini._src.base import proto


def dense(x):
    return tf.nn.relu(tf.layers.dense(x, 3)) + tf.Variable(1.0, use_resource=True)


def loop(x):
    return tf.while_loop(lambda y: tf.reduce_sum(y) < 9.0, lambda y: y + 1.0, [x])


def dequeued(x):
    queue = tf.FIFOQueue(3, tf.float32)
    return x + queue.dequeue()


def table(x):
    words = tf.constant(["a", "b"])
    return tf.contrib.lookup.index_table_from_tensor(words).lookup(tf.as_string(x))


def branches(x):
    return tf.cond(tf.reduce_sum(x) > 0.0, lambda: x + 1.0, lambda: x - 1.0)


@pytest.mark.parametrize(
    "build, straight",
    [
        (dense, True),
        (branches, True),
        (lambda x: tf.nn.softmax(tf.nn.top_k(x, 2)[0]), True),
        (loop, False),
        (lambda x: tf.map_fn(tf.exp, x), False),
        (dequeued, False),
        (table, False),
        (lambda x: tf.py_func(abs, [x], tf.float32), False),
        (lambda x: tf.random_uniform(tf.shape(x)) + x, False),
        (lambda x: tf.strings.length(tf.read_file(tf.as_string(x[0, 0]))), False),
        (lambda x: tf.Print(x, [x]), False),
        (lambda x: tf.layers.dense(tf.layers.flatten(x), 3), True),
        (lambda x: tf.fill(tf.shape(x), 2.0) + x, True),
        (lambda x: tf.one_hot(tf.to_int32(x), 3), True),
        (lambda x: tf.range(tf.to_int32(x[0, 0])), False),
        (lambda x: tf.sequence_mask(tf.to_int32(x[0])), False),
        (lambda x: tf.image.resize_bilinear(tf.ones([1, 2, 2, 1]), tf.to_int32(x[0])), False),
        (lambda x: tf.segment_sum(x, tf.to_int32(x[:, 0])), False),
        (lambda x: tf.image.decode_png(tf.as_string(x[0, 0])), False),
    ],
)
def test_straight_plans(build, straight):
    with tf.Graph().as_default(), tf.Session() as session:
        x = tf.placeholder(tf.float32, [None, 2])
        (y,) = tf.contrib.framework.nest.flatten(build(x))[:1]
        step = session._make_callable_from_options(
            proto.CallableOptions(feed=[x.name], fetch=[y.name])
        )
        assert step.is_straight == straight
