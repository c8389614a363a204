"""StructuralEnsembleRegressor: multivariate series; anomalies, conditional exogenous features."""

import warnings

import numpy as np

from tests.support.models.series_runs import Runs, series, windows

TOLERANCE = 1e-4  # two training steps
STARTS = [0, 5, 14]


def build(tf):
    warnings.filterwarnings("ignore", "Converting sparse IndexedSlices to a dense Tensor")
    ts, runs = tf.contrib.timeseries, Runs(tf)
    two, one = series(features=2), series()
    two["times"] = two["times"] + (two["times"] > 9) * 3  # a gap

    def cycles(config):
        return ts.StructuralEnsembleRegressor(
            periodicities=5.5,
            num_features=2,
            cycle_num_latent_values=3,
            moving_average_order=1,
            autoregressive_order=1,
            config=config,
        )

    runs.run("cycles", cycles, windows(tf, two, 6, STARTS), two, steps=2, served=False)

    one["event"] = np.eye(1, 24, 7, dtype="f")[0][:, None]
    rest = {"event": np.array([[[0.0], [1.0], [0.0]]], "f")}
    column = tf.feature_column.numeric_column("event")

    def events(config):
        return ts.StructuralEnsembleRegressor(
            periodicities=3,
            num_features=1,
            cycle_num_latent_values=3,
            moving_average_order=0,
            exogenous_feature_columns=[column],
            exogenous_update_condition=lambda times, features: features["event"][:, 0] > 0.5,
            dtype=tf.float32,
            anomaly_prior_probability=0.1,
            optimizer=tf.train.GradientDescentOptimizer(0.001),
            config=config,
        )

    event_windows = windows(tf, one, 6, STARTS)
    runs.run("events", events, event_windows, one, steps=2, ahead=3, exogenous=rest)
    return runs.recorded()
