"""LinearOperatorIdentity."""

import numpy as np

import tfmini as tf

RANDOM = np.random.RandomState(1)

X = RANDOM.uniform(-1, 1, (2, 3, 2)).astype("f")


def test_dynamic_batch_shape():
    with tf.Graph().as_default(), tf.Session() as session:
        batch = tf.placeholder(tf.int32, [None])
        same = tf.linalg.LinearOperatorIdentity(3, batch_shape=batch).matmul(X[0])
        scaled = tf.linalg.LinearOperatorScaledIdentity(3, tf.fill(batch, 2.0)).matmul(X[0])
        for sizes in ([2], [2, 4], []):
            expected = np.broadcast_to(X[0], (*sizes, 3, 2))
            result = session.run([same, scaled], {batch: sizes})
            np.testing.assert_array_equal(result[0], expected)
            np.testing.assert_array_equal(result[1], 2 * expected)
