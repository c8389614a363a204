"""Static sample shapes from partially known sample, batch and event shapes; a vector chosen by a cond."""

import numpy as np
import pytest

import tfmini as tf
from tfmini._src.probability.distributions.sample_shapes import pick_vector, set_static_shape


@pytest.mark.parametrize(
    "sample, batch, event, expected",
    [
        ([2], [3], [4, 5], [2, 3, 4, 5]),
        ([2], [3], None, [2, 3, None, None]),
        (None, [3], [4, 5], [None, 3, 4, 5]),
        ([2], None, [4, 5], [2, None, 4, 5]),
        ([2], [None], [None, 5], [2, None, None, 5]),
        (None, [3], None, [None] * 4),
    ],
)
def test_static_sample_shape(sample, batch, event, expected):
    with tf.Graph().as_default():
        samples = tf.placeholder(tf.float32, [None] * 4)
        of_sample = tf.placeholder(tf.int32, [None]) if sample is None else tf.constant(sample)
        result = set_static_shape(samples, of_sample, *map(tf.TensorShape, (batch, event)))
        assert result.shape.as_list() == expected


def test_constant_condition_selects_statically():
    assert pick_vector(True, "one", "other") == "one"
    assert pick_vector(tf.constant(False), "one", "other") == "other"


@pytest.mark.parametrize("inputs, expected", [(True, [1, 2, 3]), (False, [4])])
def test_fed_condition_selects_at_run_time(session, inputs, expected):
    condition = tf.placeholder(tf.bool, [])
    picked = pick_vector(condition, [1, 2, 3], [4])
    np.testing.assert_array_equal(session.run(picked, {condition: inputs}), expected)


def test_invalid_arguments():
    with pytest.raises(
        TypeError, match=r"^Tensor\(.*dtype=int32\).dtype=.* which is not <dtype: 'bool'>$"
    ):
        pick_vector(1, [1], [2])
    with pytest.raises(TypeError, match=r"^Tensor\(.*int32.* does not match Tensor\(.*float32'>$"):
        pick_vector(tf.placeholder(tf.bool, []), [1], [2.0])
