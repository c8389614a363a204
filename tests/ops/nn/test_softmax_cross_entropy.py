"""tf.nn.softmax_cross_entropy_with_logits and its sparse form."""

import numpy as np

import tfmini as tf
from tests.support.lazy_modules import scipy

CUBE = np.random.RandomState(1).randn(4, 3, 5).astype("f")


def run(*fetches):
    with tf.Session() as session:
        results = session.run(list(fetches))
    return results if len(results) > 1 else results[0]


def test_labels_gradient_in_v2_only():
    logits, labels = tf.constant([[1.0, 2.0]]), tf.constant([[0.3, 0.7]])
    new = tf.nn.softmax_cross_entropy_with_logits_v2(labels=labels, logits=logits)
    old = tf.nn.softmax_cross_entropy_with_logits(labels=labels, logits=logits)
    assert tf.gradients(old, labels) == [None]
    expected = -scipy.special.log_softmax([[1.0, 2.0]], -1)
    np.testing.assert_allclose(run(tf.gradients(new, labels)[0]), expected, rtol=1e-6)


def test_sparse_labels_of_higher_rank():
    labels = np.array([[0, 1, 2], [3, 4, 0], [1, 1, 1], [2, 0, 4]])
    loss = tf.nn.sparse_softmax_cross_entropy_with_logits(labels=labels, logits=CUBE)
    expected = -np.take_along_axis(scipy.special.log_softmax(CUBE, -1), labels[..., None], -1)
    np.testing.assert_allclose(run(loss), expected[..., 0], rtol=1e-5)
    assert loss.shape == (4, 3)
