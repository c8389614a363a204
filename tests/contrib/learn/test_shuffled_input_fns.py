"""tf.contrib.learn.io's input functions: the elements of tf.estimator.inputs, shuffled by default."""

import numpy as np
import pytest

import tfmini as tf
from tests.support.lazy_modules import LazyModule

pandas = LazyModule("pandas")


def batches(input_fn):
    """All batches of an input function."""
    result = []
    with tf.Graph().as_default():
        inputs = input_fn()
        with tf.train.MonitoredSession() as session:
            while not session.should_stop():
                result.append(session.run(inputs))
    return result


X, Y = np.arange(10.0), np.arange(10)


def of_arrays(**options):
    return tf.contrib.learn.io.numpy_input_fn({"x": X}, Y, **options)


def of_frames(**options):
    frame = pandas.DataFrame({"x": X})
    make = tf.contrib.learn.io.pandas_input_fn
    return make(frame, pandas.Series(Y), **options)


@pytest.mark.parametrize("function", [of_arrays, of_frames], ids=["numpy", "pandas"])
def test_in_order(function):
    result = batches(function(batch_size=4, shuffle=False))
    assert [features["x"].tolist() for features, _ in result] == [
        [0, 1, 2, 3],
        [4, 5, 6, 7],
        [8, 9],
    ]
    assert [targets.tolist() for _, targets in result] == [[0, 1, 2, 3], [4, 5, 6, 7], [8, 9]]


@pytest.mark.parametrize("function", [of_arrays, of_frames], ids=["numpy", "pandas"])
def test_shuffled_by_default(function):
    """Features stay with their targets."""
    tf.set_random_seed(1)
    result = batches(function(batch_size=5))
    x = np.concatenate([features["x"] for features, _ in result])
    y = np.concatenate([targets for _, targets in result])
    assert x.tolist() == y.tolist() and sorted(y.tolist()) == Y.tolist()
