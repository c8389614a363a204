"""tf.bincount."""

import numpy as np

import tfmini as tf
from tests.support.sessions import run


def test_counts_and_weights():
    assert run(tf.bincount([1, 2, 2])).tolist() == [0, 1, 2]
    assert run(tf.bincount(np.zeros(0, "i4"))).tolist() == []
    assert run(tf.bincount([1, 5], minlength=3, maxlength=4)).tolist() == [0, 1, 0, 0]
    assert run(tf.bincount([1, 1], weights=[0.5, 2.0])).tolist() == [0, 2.5]
