"""Variables of many dtypes, in nested scopes, cached and untrained; placeholders with defaults."""

import numpy as np

FEEDS = {"x": [[1.0, -2.0]]}


def build(tf):
    x = tf.placeholder_with_default(tf.constant([[0.5, 0.5]], tf.float64), [None, 2], name="x")
    with tf.variable_scope("outer"), tf.variable_scope("in.ner-1", caching_device="/cpu:0"):
        w = tf.get_variable("w", [2, 2], tf.float64)
        count = tf.get_variable("count", initializer=np.int64(2**40), trainable=False)
        texts = tf.Variable([b"a\xff", b""], name="texts")
        flags = tf.Variable([True, False], name="flags")
        waves = tf.Variable([1 + 2j], dtype=tf.complex64, name="waves")
        half = tf.Variable([1.5, -2.0], dtype=tf.float16, name="half")
        brain = tf.Variable(tf.cast([1.5, 3.0], tf.bfloat16), name="brain")
        nothing = tf.Variable(tf.zeros([0, 3]), name="nothing")
    out = tf.matmul(x, w)
    loss = tf.reduce_sum(tf.square(out), name="loss")
    with tf.control_dependencies([count.assign_add(1)]):
        train = tf.train.RMSPropOptimizer(0.1, centered=True).minimize(loss, var_list=[w])
    return {
        "train": train,
        "loss": loss,
        "feeds": FEEDS,
        "outputs": {
            "out": out,
            "count": tf.identity(count),
            "texts": tf.identity(texts),
            "flags": tf.logical_not(flags),
            "length": tf.abs(waves),
            "half": half * 2,
            "brain": tf.cast(brain, tf.float32),
            "shape": tf.shape(nothing),
        },
    }
