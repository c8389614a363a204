"""Static shapes that follow from what is known of tensors of sizes."""

import numpy as np


def shapes_of_tensors(tf, stage):
    x = tf.placeholder(tf.float32, [None, 3, 5, None], name="x")
    n = tf.placeholder(tf.int32, [], name="n")
    s = tf.shape(x)
    fill = lambda dims: tf.fill(dims, 0.0).shape  # noqa: E731
    stage.attempts(lambda: fill(s[3:0:-1]))
    with tf.Session() as session:
        stage.attempt(
            session.run, tf.shape(tf.fill([n, 3, s[1]], 0)), {n: 2, x: np.zeros([1, 3, 5, 2])}
        )
