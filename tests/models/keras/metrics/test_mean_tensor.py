import numpy as np
import pytest

import tfmini as tf
from tfmini.keras import metrics


def test_mean_of_tensors():
    mean = metrics.MeanTensor()
    with pytest.raises(ValueError, match="does not have any result yet"):
        mean.result()
    with tf.Session() as session:
        first = mean.update_state(tf.constant([0.0, 1.0, 2.0]))
        second = mean.update_state(tf.constant([2.0, 1.0, 5.0]), sample_weight=[1.0, 0.0, 2.0])
        with pytest.raises(ValueError, match="must always have the same shape"):
            mean.update_state([1.0, 2.0])
        result = mean.result()
        session.run(first)
        session.run(second)
        np.testing.assert_allclose(session.run(result), [1.0, 1.0, 4.0])
        mean.reset_states()
        np.testing.assert_array_equal(session.run(result), np.zeros(3))


@pytest.mark.parametrize(
    "kind, name, inputs, expected",
    [
        # The first of 11 thresholds with that value: 0.5 finds both zeros; 0.4 two of three ones, and a zero.
        (metrics.SensitivityAtSpecificity, "specificity", 1.0, 2 / 3),
        (metrics.SpecificityAtSensitivity, "sensitivity", 2 / 3, 0.5),
    ],
)
def test_sensitivity_and_specificity(kind, name, inputs, expected):
    metric = kind(inputs, num_thresholds=11)
    assert getattr(metric, name) == inputs
    update = metric.update_state([0, 0, 1, 1, 1.0], [0.05, 0.5, 0.35, 0.9, 0.75])
    result = metric.result()
    restored = type(metric).from_config(metric.get_config())
    assert restored.get_config() == metric.get_config()
    with tf.Session() as session:
        session.run([variable.initializer for variable in metric.variables])
        session.run(update)
        assert session.run(result) == pytest.approx(expected)


def test_mean_of_doubles():
    mean = metrics.MeanTensor(dtype=tf.float64)
    update = mean.update_state([1.0, 4.0], sample_weight=[1.0, 3.0])
    with tf.Session() as session:
        session.run([variable.initializer for variable in mean.variables])
        session.run(update)
        result = session.run([mean.result(), mean.count])
    assert [(f.dtype, f.tolist()) for f in result] == [("f8", [1.0, 4.0]), ("f8", [1.0, 3.0])]
