"""Parts of state space models against hand-computed values."""

from types import SimpleNamespace

import numpy as np
import pytest

import tfmini as tf
from tfmini._src.contrib.timeseries.state_space.anomalies import interpolate
from tfmini._src.contrib.timeseries.state_space.ensembles import (
    StateSpaceCorrelatedFeaturesEnsemble,
    StateSpaceIndependentEnsemble,
)
from tfmini._src.contrib.timeseries.state_space.kalman_filter import KalmanFilter


def test_prediction_updates_state():
    state, turn = np.array([[1.0, 2.0]], "f"), np.array([[[0.0, 1.0], [-1.0, 0.5]]], "f")
    spread, noise = np.array([[[2.0, 0.5], [0.5, 1.0]]], "f"), np.eye(2, dtype="f")[None]
    kalman = KalmanFilter()
    with tf.Graph().as_default(), tf.Session() as session:
        mean, covariance = session.run(
            [
                kalman.predict_state_mean(tf.constant(state), tf.constant(turn)),
                kalman.predict_state_var(*map(tf.constant, (spread, turn, noise))),
            ]
        )
    np.testing.assert_allclose(mean, [[2.0, 0.0]])
    np.testing.assert_allclose(covariance, turn @ spread @ turn.swapaxes(1, 2) + noise)


def test_integer_states_must_be_equal(session):
    weight, first = tf.constant([0.25]), (tf.constant([4]), tf.constant([[8.0]]))
    count, mean = session.run(interpolate(first, (tf.constant([4]), tf.constant([[4.0]])), weight))
    assert (count.tolist(), mean.tolist()) == ([4], [[5.0]])
    other = tf.placeholder_with_default([5], [1])
    with pytest.raises(
        tf.errors.InvalidArgumentError, match="assertion failed.*x == y did not hold"
    ):
        session.run(interpolate(first, (other, tf.constant([[4.0]])), weight))


def test_ensemble_concatenates_member_states():
    """The members' states are concatenated."""

    class Ensemble(StateSpaceIndependentEnsemble):
        def __init__(self, members):
            self._ensemble_members = members

        def _member_observation_model(self, member, times):
            return tf.fill([tf.shape(times)[0], 1, member], float(member))

    with tf.Graph().as_default(), tf.Session() as session:
        found = session.run(Ensemble([1, 2]).get_broadcasted_observation_model(tf.constant([5, 6])))
    np.testing.assert_array_equal(found, [[[1, 2, 2]], [[1, 2, 2]]])


@pytest.mark.parametrize(
    "features, match", [([1, 2], "must be univariate"), ([1], "must equal the number of features")]
)
def test_ensemble_requires_univariate_members_per_feature(features, match):
    members = [SimpleNamespace(num_features=number) for number in features]
    with pytest.raises(ValueError, match=match):
        StateSpaceCorrelatedFeaturesEnsemble(members, SimpleNamespace(num_features=2))
