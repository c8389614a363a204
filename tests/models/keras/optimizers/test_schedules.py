import math

import numpy as np
import pytest

import tfmini as tf
from tfmini.keras import experimental
from tfmini.keras.optimizers import schedules


def rates(schedule, steps):
    step = tf.placeholder(tf.int64, [])
    rate = schedule(step)
    with tf.Session() as session:
        return [session.run(rate, {step: n}) for n in steps]


def restarted(step):
    """0.1 * (0.9 * wave + 0.1), with waves of 5, 7.5 and 11.25 steps, each 0.8 times as high as the previous one."""
    height, length = 1.0, 5.0
    while step >= length:
        step, length, height = step - length, length * 1.5, height * 0.8
    return 0.1 * (0.9 * 0.5 * height * (1 + math.cos(math.pi * step / length)) + 0.1)


def wave(fraction):
    return 0.5 * (1 + math.cos(math.pi * fraction))


STEPS = (0, 3, 7, 13, 30)
CASES = [
    (schedules.ExponentialDecay(0.1, 10, 0.5), lambda n: 0.1 * 0.5 ** (n / 10)),
    (schedules.ExponentialDecay(0.1, 10, 0.5, staircase=True), lambda n: 0.1 * 0.5 ** (n // 10)),
    (schedules.InverseTimeDecay(0.1, 10, 0.5), lambda n: 0.1 / (1 + 0.5 * n / 10)),
    (
        experimental.CosineDecay(0.1, 20, 0.1),
        lambda n: 0.1 * (0.9 * wave(min(n, 20) / 20) + 0.1),
    ),
    (experimental.CosineDecayRestarts(0.1, 5, 1.5, 0.8, 0.1), restarted),
    (
        experimental.CosineDecayRestarts(0.1, 5, 1.0, 1.0),
        lambda n: 0.1 * wave(n % 5 / 5),
    ),
    (
        experimental.LinearCosineDecay(0.1, 20),
        lambda n: 0.1 * ((1 - min(n, 20) / 20) * wave(min(n, 20) / 20) + 0.001),
    ),
]


@pytest.mark.parametrize("schedule, expected", CASES, ids=lambda x: type(x).__name__)
def test_schedule_rates(schedule, expected):
    restored = schedules.deserialize(schedules.serialize(schedule))
    assert restored.get_config() == schedule.get_config()
    np.testing.assert_allclose(rates(restored, STEPS), [expected(n) for n in STEPS], rtol=2e-5)


def test_noise_decays():
    schedule = experimental.NoisyLinearCosineDecay(1.0, 1000, variance_decay=4.0)
    assert schedule.get_config()["initial_variance"] == 1.0
    result = rates(schedule, [20] * 20)
    assert 0 < np.std(result) < 0.02
