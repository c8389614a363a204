"""LSTMAutoRegressor, exported with one signature; its parsed examples; ARModel with a custom network."""

from tests.support.models.estimator_runs import row
from tests.support.models.series_runs import Runs, internal, series, windows

TOLERANCE = 1e-4  # three training steps


def build(tf):
    ts, runs = tf.contrib.timeseries, Runs(tf)
    data = series()
    lstm = internal(tf, "estimators", "LSTMAutoRegressor")

    def by_lstm(config):
        return lstm(6, 4, 2, num_units=3, num_timesteps=2, config=config)

    runs.run("lstm", by_lstm, windows(tf, data, 6, [0, 2, 7, 11]), data, one_shot=True)
    receive = by_lstm(None).build_one_shot_parsing_serving_input_receiver_fn(
        6, 4, default_batch_size=2, truncate_values=True
    )
    with tf.Graph().as_default() as graph:
        received = receive()
        runs.facts["parsed"] = [row(node) for node in graph.as_graph_def().node]
        runs.facts["shapes"] = {k: str(v.shape) for k, v in received.features.items()}

    class Constant(tf.keras.Model):
        def __init__(self, num_features, input_window_size, output_window_size):
            super().__init__()
            self.scale = tf.keras.layers.Dense(num_features)
            self.length = output_window_size

        def call(self, known, coming):
            mean = self.scale(tf.tile(known[:, -1:, :], [1, self.length, 1]))
            return {"mean": mean, "covariance": tf.ones_like(mean)}

    def custom(config):
        model = ts.ARModel(
            periodicities=4,
            input_window_size=2,
            output_window_size=2,
            num_features=1,
            num_time_buckets=2,
            prediction_model_factory=Constant,
        )
        return ts.TimeSeriesRegressor(model, config=config)

    runs.run("custom", custom, windows(tf, data, 4, [0, 2, 7, 11]), data)
    return runs.recorded()
