"""tf.contrib.learn.io's input functions: the elements of tf.estimator.inputs', shuffled unless told otherwise."""

import numpy as np
import pandas
import pytest

import tfmini as tf


def batches(input_fn):
    """The batches of an input function until it ends."""
    found = []
    with tf.Graph().as_default():
        given = input_fn()
        with tf.train.MonitoredSession() as session:
            while not session.should_stop():
                found.append(session.run(given))
    return found


X, Y = np.arange(10.0), np.arange(10)
ARRAYS = (tf.contrib.learn.io.numpy_input_fn, {"x": {"x": X}, "y": Y})
FRAMES = (
    tf.contrib.learn.io.pandas_input_fn,
    {"x": pandas.DataFrame({"x": X}), "y": pandas.Series(Y)},
)


@pytest.mark.parametrize("function, given", [ARRAYS, FRAMES], ids=["numpy", "pandas"])
def test_in_order(function, given):
    found = batches(function(**given, batch_size=4, shuffle=False))
    assert [features["x"].tolist() for features, _ in found] == [
        [0, 1, 2, 3],
        [4, 5, 6, 7],
        [8, 9],
    ]
    assert [targets.tolist() for _, targets in found] == [[0, 1, 2, 3], [4, 5, 6, 7], [8, 9]]


@pytest.mark.parametrize("function, given", [ARRAYS, FRAMES], ids=["numpy", "pandas"])
def test_shuffled_unless_told_otherwise(function, given):
    """Features stay with their targets."""
    tf.set_random_seed(1)
    found = batches(function(**given, batch_size=5))
    x = np.concatenate([features["x"] for features, _ in found])
    y = np.concatenate([targets for _, targets in found])
    assert x.tolist() == y.tolist() and sorted(y.tolist()) == Y.tolist()
