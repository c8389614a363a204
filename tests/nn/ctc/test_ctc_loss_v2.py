"""The composed CTC loss against the op."""

import numpy as np
import pytest

import tfmini as tf
from tfmini._src.ops.nn.ctc.ctc_labels import dense_labels_to_sparse

RANDOM = np.random.RandomState(3)
LOGITS = RANDOM.randn(7, 4, 5).astype("f")
LABELS = np.array([[1, 2, 2], [3, 0, 0], [4, 1, 0], [2, 4, 2]], "i4")  # the blank is 0
LABEL_LENGTHS = [3, 1, 2, 3]
TIMES = [7, 4, 5, 6]


def native_loss(logits):
    """The op's blank is the last class."""
    labels = dense_labels_to_sparse(LABELS - 1, LABEL_LENGTHS)
    return tf.nn.ctc_loss(labels, tf.concat([logits[:, :, 1:], logits[:, :, :1]], 2), TIMES)


@pytest.mark.parametrize("is_unique", [False, True])
def test_loss_and_gradient(is_unique):
    logits = tf.constant(LOGITS)
    unique = tf.nn.ctc_unique_labels(LABELS) if is_unique else None
    losses = [
        tf.nn.ctc_loss_v2(LABELS, logits, LABEL_LENGTHS, TIMES, unique=unique),
        native_loss(logits),
    ]
    gradients = [tf.gradients(loss * [1.0, 2.0, 3.0, 4.0], logits)[0] for loss in losses]
    with tf.Session() as session:
        (actual, expected), (gradient, wanted) = session.run([losses, gradients])
    np.testing.assert_allclose(actual, expected, rtol=1e-5)
    inside = np.arange(7)[:, None] < TIMES
    np.testing.assert_allclose(gradient[inside], wanted[inside], atol=2e-5)
    # Beyond the end, TensorFlow's gradient is that of the softmax instead of the op's 0.
    weights = np.array([1, 2, 3, 4])[:, None] * np.exp(LOGITS)
    shares = weights / np.exp(LOGITS).sum(axis=2, keepdims=True)
    np.testing.assert_allclose(gradient[~inside], shares[~inside], atol=2e-5)


def test_sizes_known_only_at_run_time():
    logits = tf.placeholder(tf.float32, [None, None, 5])
    labels, label_lengths, times = (
        tf.placeholder(tf.int32, shape) for shape in ([None, 3], [None], [None])
    )
    loss = tf.nn.ctc_loss_v2(labels, logits, label_lengths, times)
    with tf.Session() as session:
        feed = {logits: LOGITS, labels: LABELS, label_lengths: LABEL_LENGTHS, times: TIMES}
        actual, expected = session.run([loss, native_loss(tf.constant(LOGITS))], feed)
        np.testing.assert_allclose(actual, expected, rtol=1e-5)
        feed = {
            logits: LOGITS[:4, :2],
            labels: LABELS[:2],
            label_lengths: LABEL_LENGTHS[:2],
            times: [4, 4],
        }
        assert session.run(loss, feed).shape == (2,)
