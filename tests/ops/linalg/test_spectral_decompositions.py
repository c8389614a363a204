"""A vector, for which TensorFlow crashes, is rejected."""

import numpy as np
import pytest

import tfmini as tf
from tfmini._src.base.errors import InvalidArgumentError


def test_svd_of_vector_is_refused(session):
    output = tf.svd(tf.placeholder_with_default(np.ones(3, "f"), None))
    with pytest.raises(InvalidArgumentError, match="tensor 0 must have rank >= 2, got 1"):
        session.run(output)
