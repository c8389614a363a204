"""Series that readers, models and continuations of `tf.contrib.timeseries` cannot take."""

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


CASES = {
    "a_series_without_values": lambda tf: tf.contrib.timeseries.NumpyReader(
        {"times": np.arange(3)}
    ),
    "values_of_another_length": lambda tf: tf.contrib.timeseries.NumpyReader(
        {"times": np.arange(3), "values": np.ones(4)}
    ),
    "values_of_three_dimensions": lambda tf: tf.contrib.timeseries.NumpyReader(
        {"times": np.arange(3), "values": np.ones([3, 1, 1])}
    ),
    "a_value_of_two_dimensions": lambda tf: tf.contrib.timeseries.NumpyReader(
        {"times": 1, "values": np.ones([1, 1])}
    ),
    "times_of_three_dimensions": lambda tf: tf.contrib.timeseries.NumpyReader(
        {"times": np.ones([1, 1, 1]), "values": np.ones([1, 1, 1])}
    ),
    "a_batch_of_series": lambda tf: tf.contrib.timeseries.NumpyReader(_batch()),
    "no_column_of_times": lambda tf: tf.contrib.timeseries.CSVReader("a.csv", ("values", "b")),
    "two_columns_of_times": lambda tf: tf.contrib.timeseries.CSVReader(
        "a.csv", ("times", "times", "values")
    ),
    "dtypes_of_fewer_columns": lambda tf: tf.contrib.timeseries.CSVReader(
        "a.csv", column_dtypes=[tf.int64]
    ),
    "steps_and_times": lambda tf: tf.contrib.timeseries.predict_continuation_input_fn(
        {"start_tuple": ()}, 1, [[1]]
    ),
    "neither_steps_nor_times": lambda tf: tf.contrib.timeseries.predict_continuation_input_fn(
        {"start_tuple": ()}
    ),
    "a_window_of_another_length": lambda tf: _trained(tf, _batch(window=4)),
    "values_of_another_size": lambda tf: _trained(tf, _batch(features=2)),
    "features_without_times": lambda tf: _trained(tf, {"values": np.ones([2, 3, 1])}),
    "a_feature_without_windows": lambda tf: _trained(tf, dict(_batch(), more=np.ones([2]))),
    "a_feature_of_another_window": lambda tf: _trained(tf, dict(_batch(), more=np.ones([2, 4]))),
    "a_distribution_without_a_probability": lambda tf: _trained(
        tf, _batch(), anomaly_distribution="cauchy"
    ),
    "anomalies_with_squares": lambda tf: _trained(
        tf, _batch(), anomaly_prior_probability=0.1, loss="squared_loss"
    ),
    "an_even_number_of_values": lambda tf: tf.contrib.timeseries.StructuralEnsembleRegressor(
        4, 1, cycle_num_latent_values=4
    ),
    "more_numbers_of_values_than_cycles": lambda tf: (
        tf.contrib.timeseries.StructuralEnsembleRegressor(4, 1, cycle_num_latent_values=[3, 3])
    ),
}
