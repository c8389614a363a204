"""Series that readers, models and continuations of `tf.contrib.timeseries` reject."""

import numpy as np


def _series(length=12, features=1):
    return {"times": np.arange(length), "values": np.ones([length, features])}


def _trained(tf, features, **settings):
    regressor = tf.contrib.timeseries.ARRegressor(4, 2, 1, 1, **settings)

    def input_fn():
        return {key: tf.constant(value) for key, value in features.items()}, None

    regressor.train(input_fn, steps=1)


def _batch(window=3, features=1):
    return {"times": np.ones([2, window], "i"), "values": np.ones([2, window, features])}


def a_window_longer_than_the_series(tf):
    reader = tf.contrib.timeseries.NumpyReader(_series())
    tf.contrib.timeseries.RandomWindowInputFn(reader, window_size=13, batch_size=1)


def times_of_another_batch(tf):
    evaluation = {"start_tuple": (), "times": np.array([[1, 2]])}
    tf.contrib.timeseries.predict_continuation_input_fn(evaluation, times=[[3], [4]])


def times_before_the_end(tf):
    evaluation = {"start_tuple": (), "times": np.array([[1, 2]])}
    tf.contrib.timeseries.predict_continuation_input_fn(evaluation, times=[2, 3])


def a_series_with_labels(tf):
    regressor = tf.contrib.timeseries.ARRegressor(4, 2, 1, 1)
    regressor.train(lambda: ({"times": tf.ones([2, 3])}, tf.ones([2])), steps=1)
