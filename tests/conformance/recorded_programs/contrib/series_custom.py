"""A TimeSeriesRegressor of a custom model: a recurrent cell with exogenous features; short unrolled windows."""

import numpy as np

from tests.support.models.series_runs import Runs, internal, series, windows

TOLERANCE = 1e-4  # two training steps
STARTS = [0, 5, 14]


def build(tf):
    ts, runs = tf.contrib.timeseries, Runs(tf)
    base = internal(tf, "model", "SequentialTimeSeriesModel")
    manager = internal(tf, "state_management", "ChainingStateManager")
    column = tf.feature_column.numeric_column("event")

    class Recurrent(base):
        def __init__(self, **settings):
            super().__init__(
                train_output_names=["mean"],
                predict_output_names=["mean"],
                num_features=2,
                dtype=tf.float32,
                **settings,
            )
            self._cell = None

        def initialize_graph(self, input_statistics=None):
            super().initialize_graph(input_statistics=input_statistics)
            with tf.variable_scope("", use_resource=True):
                self._cell = tf.nn.rnn_cell.GRUCell(3)
                self._run = tf.make_template("cell", lambda x, s: self._cell(x, s), True)
                self._out = tf.make_template("out", lambda x: tf.layers.dense(x, 2))

        def get_start_state(self):
            return (
                tf.zeros([], dtype=tf.int64),
                tf.zeros([2]),
                [tf.squeeze(self._cell.zero_state(1, tf.float32), axis=0)],
            )

        def _filtering_step(self, current_times, current_values, state, predictions):
            _, predicted, hidden = state
            with tf.control_dependencies([tf.assert_equal(current_times, state[0])]):
                scaled = self._scale_data(current_values)
                error = tf.reduce_mean((predicted - scaled) ** 2, axis=-1)
            return (current_times, scaled, hidden), dict(predictions, loss=error)

        def _prediction_step(self, current_times, state):
            _, before, (hidden,) = state
            output, hidden = self._run(before, hidden)
            mean = self._out(output)
            told = {"mean": self._scale_back_data(mean)}
            return (tf.identity(current_times), mean, [hidden]), told

        def _imputation_step(self, current_times, state):
            return state

        def _exogenous_input_step(self, current_times, current_exogenous_regressors, state):
            time, before, (hidden,) = state
            more = self._run(tf.concat([current_exogenous_regressors, before[:, 1:]], 1), hidden)
            return time, before, [more[1]]

    data = series(features=2)
    event = dict(data, event=np.arange(24.0, dtype="f")[:, None] % 3)
    rest = {"event": np.ones([1, 4, 1], "f")}

    def chained(config):
        return ts.TimeSeriesRegressor(
            Recurrent(exogenous_feature_columns=[column]),
            state_manager=manager(state_saving_interval=4),
            config=config,
        )

    runs.run("chained", chained, windows(tf, event, 5, STARTS), event, 2, 4, rest)

    def unrolled(config):
        model = Recurrent(static_unrolling_window_size_threshold=3)
        return ts.TimeSeriesRegressor(model, optimizer=tf.train.AdamOptimizer(0.1), config=config)

    runs.run("unrolled", unrolled, windows(tf, data, 3, STARTS), data, 2, 2, served=False)
    return runs.recorded()
