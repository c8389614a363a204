"""Learning rate schedules: each decay against its formula, step by step."""

import numpy as np
import pytest

import tfmini as tf


def test_noise_decays_with_steps():
    step = tf.placeholder(tf.float32, [])
    rate = tf.train.noisy_linear_cosine_decay(1.0, step, 1000, 4.0, 2.0, num_periods=0.0, beta=0.0)
    with tf.Session() as session:
        early, late = ([session.run(rate, {step: s}) for _ in range(200)] for s in (0, 100))
    assert 1.5 < np.std(early) < 2.5
    assert np.std(late) < 0.1


def test_none_global_step_is_refused():
    for decay, arguments in [
        (tf.train.exponential_decay, (4, 0.8)),
        (tf.train.polynomial_decay, (4,)),
        (tf.train.cosine_decay, (4,)),
        (tf.train.linear_cosine_decay, (4,)),
    ]:
        with pytest.raises(ValueError, match="None values not supported|global_step"):
            decay(0.1, None, *arguments)
    step = tf.constant(1)
    for boundaries, values, message in [
        ([1.0], [0.1, 0.2], "Boundaries (<dtype: 'float32'>) must have the same dtype as x (<dtype: 'int32'>)."),
        ([1], [0.1, 2], "Values must have elements all with the same dtype (<dtype: 'float32'> vs <dtype: 'int32'>)."),
        ([1], [0.1], "The length of boundaries should be 1 less than the length of values"),
    ]:  # fmt: skip
        with pytest.raises(ValueError) as caught:
            tf.train.piecewise_constant(step, boundaries, values)
        assert str(caught.value) == message
