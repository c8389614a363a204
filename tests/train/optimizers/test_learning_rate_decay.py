"""schedules: each decay against its formula, step by step."""

import math

import numpy as np
import pytest

import tfmini as tf
from tests.support import cases

STEPS = [0, 1, 3, 4, 7, 10, 25]


def cosine(x):
    return (1 + math.cos(math.pi * x)) / 2


def restarts(step, first, growth, shrink, alpha):
    length, peak = first, 1.0
    while step >= length:
        step, length, peak = step - length, length * growth, peak * shrink
    return 0.5 * ((1 - alpha) * peak * cosine(step / length) + alpha)


def polynomial(step, length, end, power, cycle):
    if cycle:
        length *= max(1, math.ceil(step / length))
    return (0.5 - end) * (1 - min(step, length) / length) ** power + end


def piecewise(step):
    return 1.0 if step <= 3 else 0.5 if step <= 7 else 0.25


def linear_cosine(step, length, periods, alpha, beta):
    step = min(step, length)
    cosine_part = cosine(2 * periods * step / length)
    return 0.5 * ((alpha + (length - step) / length) * cosine_part + beta)


TRAIN = tf.train
DECAYS = {
    "exponential": (lambda s: TRAIN.exponential_decay(0.5, s, 4, 0.8), lambda s: 0.5 * 0.8 ** (s / 4)),
    "staircase": (lambda s: TRAIN.exponential_decay(0.5, s, 4, 0.8, True), lambda s: 0.5 * 0.8 ** (s // 4)),
    "natural": (lambda s: TRAIN.natural_exp_decay(0.5, s, 4, 0.8), lambda s: 0.5 * math.exp(-0.8 * s / 4)),
    "inverse": (lambda s: TRAIN.inverse_time_decay(0.5, s, 4, 0.8), lambda s: 0.5 / (1 + 0.8 * s / 4)),
    "inverse staircase": (lambda s: TRAIN.inverse_time_decay(0.5, s, 4, 0.8, True),
                          lambda s: 0.5 / (1 + 0.8 * (s // 4))),
    "polynomial": (lambda s: TRAIN.polynomial_decay(0.5, s, 10, 0.1, 2.0),
                   lambda s: polynomial(s, 10, 0.1, 2.0, False)),
    "polynomial cycle": (lambda s: TRAIN.polynomial_decay(0.5, s, 4, 0.1, 0.5, True),
                         lambda s: polynomial(s, 4, 0.1, 0.5, True)),
    "piecewise": (lambda s: TRAIN.piecewise_constant(s, [3, 7], [1.0, 0.5, 0.25]), piecewise),
    "cosine": (lambda s: TRAIN.cosine_decay(0.5, s, 10, 0.2),
               lambda s: 0.5 * (0.8 * cosine(min(s, 10) / 10) + 0.2)),
    "restarts": (lambda s: TRAIN.cosine_decay_restarts(0.5, s, 4, 2.0, 0.9, 0.1),
                 lambda s: restarts(s, 4, 2, 0.9, 0.1)),
    "equal restarts": (lambda s: TRAIN.cosine_decay_restarts(0.5, s, 4, 1.0),
                       lambda s: restarts(s, 4, 1, 1, 0)),
    "linear cosine": (lambda s: TRAIN.linear_cosine_decay(0.5, s, 10, 1.5, 0.1, 0.2),
                      lambda s: linear_cosine(s, 10, 1.5, 0.1, 0.2)),
    "without noise": (lambda s: TRAIN.noisy_linear_cosine_decay(0.5, s, 10, 0.0, 0.5, 1.5, 0.1, 0.2),
                      lambda s: linear_cosine(s, 10, 1.5, 0.1, 0.2)),
}  # fmt: skip


@cases.in_one_test
@pytest.mark.parametrize("kind", [tf.int32, tf.int64])
@pytest.mark.parametrize("name", DECAYS)
def test_formula(name, kind):
    build, formula = DECAYS[name]
    step = tf.placeholder(kind, [])
    rate = build(step)
    with tf.Session() as session:
        got = [session.run(rate, {step: s}) for s in STEPS]
    np.testing.assert_allclose(got, [formula(s) for s in STEPS], rtol=1e-5, atol=1e-7)
    assert rate.dtype == tf.float32


def test_noise_falls_with_the_steps():
    step = tf.placeholder(tf.float32, [])
    rate = tf.train.noisy_linear_cosine_decay(1.0, step, 1000, 4.0, 2.0, num_periods=0.0, beta=0.0)
    with tf.Session() as session:
        early, late = ([session.run(rate, {step: s}) for _ in range(200)] for s in (0, 100))
    assert 1.5 < np.std(early) < 2.5
    assert np.std(late) < 0.1


def test_the_rate_decides_the_dtype():
    step = tf.constant(3)
    assert (
        tf.train.exponential_decay(tf.constant(0.5, tf.float64), step, 4, 0.8).dtype == tf.float64
    )
    assert tf.train.piecewise_constant(step, [1], [1, 2]).dtype == tf.int32


def test_what_is_refused():
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
