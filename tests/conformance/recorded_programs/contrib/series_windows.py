"""ARRegressor: linear and with hidden layers, time features only, with exogenous features, with anomalies."""

import numpy as np

from tests.support.models.series_runs import Runs, series, windows

TOLERANCE = 1e-4  # three training steps
STARTS = [0, 2, 7, 11]


def build(tf):
    ts, runs = tf.contrib.timeseries, Runs(tf)
    one, two = series(), series(features=2)

    def plain(config):
        return ts.ARRegressor([6, 4], 4, 2, 2, num_time_buckets=3, config=config)

    runs.run("plain", plain, windows(tf, two, 6, STARTS), two)

    def by_time(config):
        return ts.ARRegressor(
            periodicities=5,
            input_window_size=0,
            output_window_size=3,
            num_features=1,
            hidden_layer_sizes=[4, 3],
            config=config,
        )

    runs.run("by time", by_time, windows(tf, one, 3, STARTS), one)

    level = np.arange(24.0).astype("f")[:, None] % 5
    more = dict(one, level=level, kind=np.array([[b"a"], [b"b"]] * 12))
    of = tf.feature_column
    kind = of.categorical_column_with_vocabulary_list("kind", ["a", "b"])
    columns = [of.numeric_column("level"), of.indicator_column(kind)]
    rest = {"level": np.ones([1, 5, 1], "f"), "kind": np.array([[[b"b"]] * 5])}

    def squares(config):
        return ts.ARRegressor(
            periodicities=None,
            input_window_size=2,
            output_window_size=3,
            num_features=1,
            exogenous_feature_columns=columns,
            loss=ts.ARModel.SQUARED_LOSS,
            optimizer=tf.train.GradientDescentOptimizer(0.01),
            config=config,
        )

    runs.run("squares", squares, windows(tf, more, 5, STARTS), more, exogenous=rest)

    for kind in ("gaussian", "cauchy"):

        def mixture(config, kind=kind):
            return ts.ARRegressor(
                periodicities=[],
                input_window_size=3,
                output_window_size=1,
                num_features=1,
                anomaly_prior_probability=0.1,
                anomaly_distribution=kind,
                config=config,
            )

        runs.run(kind, mixture, windows(tf, one, 4, STARTS), one)
    return runs.recorded()
