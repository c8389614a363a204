"""tf.confusion_matrix."""

import numpy as np

import tfmini as tf
from tests.support.sessions import run

RANDOM = np.random.RandomState(2)


def test_counts():
    labels, predictions = RANDOM.randint(0, 4, (2, 50))
    want = np.zeros((4, 4), int)
    np.add.at(want, (labels, predictions), 1)
    np.testing.assert_array_equal(run(tf.confusion_matrix(labels, predictions, 4)), want)
