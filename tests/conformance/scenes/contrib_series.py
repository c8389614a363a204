"""tf.contrib.timeseries: window and state space models, their heads, errors."""

import numpy as np

from tests.support.models.series_runs import internal, series

SPACES = "state_space_models."


def _batch(tf, rows=2, length=6, features=1, **more):
    """Features of a batch of windows of a series."""
    data = series(rows + length, features)
    places = np.arange(rows)[:, None] + np.arange(length)
    return {
        **{key: tf.constant(value[places]) for key, value in data.items()},
        **{key: tf.constant(value) for key, value in more.items()},
    }


def _asked(tf, model, features, mode="train", ahead=None, **options):
    """A model's outputs for a batch, and its following predictions."""
    model.initialize_graph(**options)
    with tf.variable_scope("asked", use_resource=True):
        outputs = model.define_loss(features, mode)
    features = {key: features[key][:, -2:] for key in features if key != "values"}
    features["times"] += 2
    if ahead is not None:
        features["times"] = tf.constant(ahead, tf.int64)
    features["start_tuple"] = outputs.end_state
    with tf.variable_scope("asked", reuse=True, use_resource=True):
        predicted = model.predict(features)
    rows = [outputs.loss, outputs.end_state, outputs.prediction_times]
    return [
        rows,
        *([found[key] for key in sorted(found)] for found in (outputs.predictions, predicted)),
    ]


def _plain(tf, **options):
    given = {"periodicities": 4, "input_window_size": 4, "output_window_size": 2, "num_features": 1}
    return tf.contrib.timeseries.ARModel(**{**given, **options})


def windows(tf, stage):
    flat = internal(tf, "ar_model", "FlatPredictionModel")
    lstm = internal(tf, "ar_model", "LSTMPredictionModel")
    mixture = internal(tf, "ar_model", "AnomalyMixtureARModel")
    column = tf.feature_column.numeric_column
    level = np.arange(12.0, dtype=np.float32).reshape(2, 6, 1)
    small = lambda **sizes: flat(hidden_layer_sizes=[3, 2], **sizes)  # noqa: E731

    def mixed(kind, **options):
        given = {"input_window_size": 3, "output_window_size": 1, "num_features": 1}
        return mixture([3], 0.2, anomaly_distribution=kind, **{**given, **options})

    stage.each(
        {
            "two values": lambda: _asked(
                tf,
                _plain(tf, periodicities=(3, 5), num_features=2, num_time_buckets=2),
                _batch(tf, features=2),
            ),
            "by time": lambda: _asked(
                tf, _plain(tf, input_window_size=0), _batch(tf, length=2), "eval"
            ),
            "squares": lambda: _asked(tf, _plain(tf, loss="squared_loss"), _batch(tf)),
            "other loss": lambda: _asked(tf, _plain(tf, loss="none"), _batch(tf)),
            "hidden": lambda: _asked(
                tf, _plain(tf, periodicities=None, prediction_model_factory=small), _batch(tf)
            ),
            "lstm": lambda: _asked(
                tf,
                _plain(tf, prediction_model_factory=lambda **s: lstm(num_units=2, **s)),
                _batch(tf),
            ),
            "exogenous": lambda: _asked(
                tf,
                _plain(tf, exogenous_feature_columns=[column("level"), column("other", [2])]),
                _batch(tf, level=level, other=np.ones([2, 6, 2], "f")),
            ),
            "exogenous lacks": lambda: _asked(
                tf, _plain(tf, exogenous_feature_columns=[column("level")]), _batch(tf)
            ),
            "gaussian": lambda: _asked(tf, mixed("gaussian"), _batch(tf, length=4)),
            "cauchy": lambda: _asked(tf, mixed("cauchy"), _batch(tf, length=4), "eval"),
            "short, evaluated": lambda: _asked(tf, _plain(tf), _batch(tf, length=5), "eval"),
            "wrong mode": lambda: _asked(tf, _plain(tf), _batch(tf), "infer"),
            "not begun": lambda: _plain(tf).define_loss(_batch(tf), "train"),
        },
        graph="sum",
    )
    stage.attempts(
        lambda: _plain(tf, num_time_buckets=0),
        lambda: _plain(tf, output_window_size=0),
        lambda: _plain(tf, periodicities=[], input_window_size=0),
        lambda: _plain(tf, periodicities=-1),
        lambda: mixed("none"),
        lambda: _plain(tf).random_model_parameters(),
        lambda: mixture([3], 1.0, 2, 2, 1),
    )


def _spaces(tf):
    """State space models, one per configuration."""
    of = lambda module, name: internal(tf, SPACES + module, name)  # noqa: E731
    return {
        "cycle": lambda c: of("periodic", "CycleStateSpaceModel")(4, configuration=c),
        "resolution": lambda c: of("periodic", "ResolutionCycleModel")(3, 4.5, configuration=c),
        "resolution of integers": lambda c: of("periodic", "ResolutionCycleModel")(
            5, 5, near_integer_threshold=1e-3, configuration=c
        ),
        "trend": lambda c: of("level_trend", "AdderStateSpaceModel")(configuration=c),
        "level": lambda c: of("level_trend", "AdderStateSpaceModel")(False, configuration=c),
        "varma": lambda c: of("varma", "VARMA")(1, 2, configuration=c),
        "moving average": lambda c: of("varma", "VARMA")(0, 1, configuration=c),
        "structure": lambda c: of("structural_ensemble", "StructuralEnsemble")(
            [3, 2], 1, 1, configuration=c
        ),
        "resolutions": lambda c: of("structural_ensemble", "MultiResolutionStructuralEnsemble")(
            [3, 3], 1, 0, [4.5, 7], configuration=c
        ),
    }


def _settings(tf, **options):
    made = internal(tf, SPACES + "state_space_model", "StateSpaceModelConfiguration")
    return made(**{"dtype": tf.float64, **options})


def states(tf, stage):
    cases = {}
    for name, make in _spaces(tf).items():
        cases[name] = lambda make=make: _asked(
            tf, make(_settings(tf)), _batch(tf, length=3), "eval"
        )
    for name in ("resolutions", "resolution of integers", "moving average", "structure"):
        del cases[name]
    make = _spaces(tf)["varma"]
    cases["varma, two values"] = lambda: _asked(
        tf, make(_settings(tf, num_features=2)), _batch(tf, length=2, features=2)
    )
    stage.each(cases, graph="sum")


def states_with_options(tf, stage):
    columns = [tf.feature_column.numeric_column("level")]
    detector = internal(tf, SPACES + "filtering_postprocessor", "StateInterpolatingAnomalyDetector")
    level = np.linspace(0.0, 1.0, 8).reshape(2, 4, 1)
    some = lambda times, features: tf.greater(features["level"][:, 0], 0.3)  # noqa: E731
    trend = _spaces(tf)["trend"]

    def case(mode="train", ahead=None, make=trend, **options):
        given = {"level": level} if "exogenous_feature_columns" in options else {}
        return lambda: _asked(
            tf, make(_settings(tf, **options)), _batch(tf, length=4, **given), mode, ahead
        )

    cases = {
        "no noise": case(use_observation_noise=False, covariance_prior_fn=lambda _: 0.0),
        "prior": case(
            covariance_prior_fn=lambda c: tf.reduce_sum(c),
            bayesian_prior_weighting=False,
            trainable_start_state=True,
        ),
        "sharp anomalies": case(
            "eval",
            filtering_postprocessor=detector(
                anomaly_log_likelihood=lambda current_times, current_values, outputs: tf.zeros(
                    [2], tf.float64
                ),
                anomaly_prior_probability=0.3,
                responsibility_scaling=3.0,
            ),
        ),
        "exogenous observed": case(
            exogenous_feature_columns=columns,
            exogenous_noise_increases=False,
            exogenous_noise_decreases=True,
        ),
        "exogenous both": case(exogenous_feature_columns=columns, exogenous_noise_decreases=True),
        "exogenous at times": case(
            exogenous_feature_columns=columns, exogenous_update_condition=some
        ),
        "unrolled": case(static_unrolling_window_size_threshold=4),
    }
    stage.each(cases, graph="sum")
    spaces = _spaces(tf)
    stage.attempts(
        lambda: internal(tf, SPACES + "periodic", "ResolutionCycleModel")(4, 5),
        lambda: internal(tf, SPACES + "structural_ensemble", "MultiResolutionStructuralEnsemble")(
            [3, 5], 1, 0, [4, 5, 6]
        ),
        lambda: spaces["structure"](_settings(tf)).get_observation_model([1]),
        lambda: spaces["structure"](_settings(tf, num_features=2)).generate(1, 2),
        lambda: spaces["trend"](_settings(tf, num_features=2)).random_model_parameters(),
    )


def drawn_series(tf, stage):
    for name in ("trend", "cycle", "varma", "structure"):
        with tf.Graph().as_default(), tf.Session() as session:
            tf.set_random_seed(1)
            model = _spaces(tf)[name](_settings(tf))
            model.initialize_graph()
            session.run(tf.global_variables_initializer())
            parameters = model.random_model_parameters(seed=5)
            stage.say(name, sorted(tensor.name for tensor in parameters))
            stage.attempt(
                lambda: model.generate(2, 3, parameters, seed=2)["values"]  # noqa: B023
            )
            stage.attempt(lambda: model.generate(1, 2, seed=2))  # noqa: B023
            stage.brief_graph(names=False)


def scaled(tf, stage):
    statistics = internal(tf, "math_utils", "InputStatisticsFromMiniBatch")
    times = tf.placeholder(tf.int64, [None, None], "times")
    values = tf.placeholder(tf.float32, [None, None, 2], "values")
    found = statistics(2, tf.float64, starting_variance_window_size=2).initialize_graph(
        {"times": times, "values": values}
    )
    with tf.variable_scope("", reuse=True):
        kept = statistics(2, tf.float64).initialize_graph({"times": times})
    frozen = statistics(1, tf.float32)
    with tf.variable_scope("other"):
        still = frozen.initialize_graph({"times": times, "values": values}, False)
    with tf.Session() as session:
        session.run(tf.global_variables_initializer())
        stage.say(session.run(still))
        for start, length in ((5, 4), (20, 3), (2, 5), (2, 5)):
            rows = np.array([np.arange(start, start + length)])
            feeds = {times: rows, values: np.stack([np.sin(rows), rows * 2.0], -1)}
            stage.say(session.run(found, feeds))
            stage.say(session.run(kept))
    stage.brief_graph(names=False)


def chained_states(tf, stage):
    """Windows that start where previous ones end."""
    managers = lambda name: internal(tf, "state_management", name)  # noqa: E731
    trend = _spaces(tf)["trend"]
    times = tf.placeholder(tf.int64, [None, 4], "times")
    values = tf.placeholder(tf.float64, [None, 4, 1], "values")
    features = {"times": times, "values": values}
    model = trend(_settings(tf))
    manager = managers("ChainingStateManager")(state_saving_interval=4, checkpoint_state=True)
    stage.attempt(manager.define_loss, model, features, "train")
    model.initialize_graph()
    manager.initialize_graph(model)
    outputs = manager.define_loss(model, dict(features), "train")
    stage.say(sorted(outputs.predictions), len(tf.get_collection("saveable_objects")))
    with tf.Session() as session:
        session.run(tf.global_variables_initializer())
        for starts in ([0], [4], [8, 4], [16], [12], [16]):
            rows = np.array(starts)[:, None] + np.arange(4)
            feeds = {times: rows, values: np.sin(rows)[..., None]}
            stage.say(starts, session.run([outputs.loss, outputs.end_state], feeds))
    state = outputs.end_state
    for name in ("PassthroughStateManager", "FilteringOnlyStateManager", "ChainingStateManager"):
        with stage.failing():
            made = managers(name)()
            made.initialize_graph(model)
            for mode in ("eval", "train"):
                given = dict(features, start_tuple=state)
                told = made.define_loss(model, given, mode)
                stage.say(name, mode, told.loss.dtype, sorted(given), len(told.end_state))
    stage.brief_graph(names=False)


def heads(tf, stage):
    ts = tf.contrib.timeseries
    managers = lambda name: internal(tf, "state_management", name)  # noqa: E731
    statistics = internal(tf, "math_utils", "InputStatisticsFromMiniBatch")
    head_of = internal(tf, "head", "TimeSeriesRegressionHead")

    def head(kind=head_of, model=None, **options):
        return kind(
            _plain(tf) if model is None else model,
            managers("FilteringOnlyStateManager")(),
            tf.train.GradientDescentOptimizer(0.1),
            **options,
        )

    def spec(mode, features=None, labels=None, **options):
        def build():
            tf.train.get_or_create_global_step()
            given = {k: v for k, v in (features or _batch(tf)).items() if v is not None}
            made = head(**options).create_estimator_spec(given, mode, labels)
            metrics = sorted(made.eval_metric_ops or {})
            stage.say(
                made.mode,
                metrics,
                sorted(made.predictions or {}),
                sorted(made.export_outputs or {}),
            )
            ops = [made.loss] * (made.loss is not None)
            ops += [pair[1] for _, pair in sorted((made.eval_metric_ops or {}).items())]
            return ops + [v for _, v in sorted((made.predictions or {}).items())]

        return build

    start = lambda: head().model.get_start_state()  # noqa: E731
    repeated = lambda: tuple(tf.stack([each] * 2) for each in start())  # noqa: E731
    parts = lambda: {f"model_state_{i:02d}": each for i, each in enumerate(repeated())}  # noqa: E731
    ahead = lambda: {"times": [[9, 10, 11], [10, 11, 12]]}  # noqa: E731
    shot = ts.OneShotPredictionHead
    some = lambda shape, dtype=tf.float32: tf.placeholder(dtype, shape)  # noqa: E731
    stage.each(
        {
            "trained": spec("train"),
            "named": spec("train", name="own"),
            "scaled": spec("train", input_statistics_generator=statistics(1, tf.float32)),
            "evaluated": spec("eval", input_statistics_generator=statistics(1, tf.float32)),
            "one shot evaluated": spec("eval", kind=shot),
            "asked": lambda: spec("infer", dict(ahead(), start_tuple=repeated()))(),
            "asked in parts": lambda: spec("infer", dict(_batch(tf), **parts()))(),
            "one shot in parts": lambda: spec(
                "infer", dict(_batch(tf), times=[list(range(9))] * 2, **parts()), kind=shot
            )(),
            "one shot without values": lambda: spec(
                "infer", dict(ahead(), start_tuple=repeated()), kind=shot
            )(),
            "labels": spec("train", labels={"a": 1}),
            "empty labels": spec("train", labels={}),
            "no mode": spec("none"),
            "flat times": lambda: spec("train", dict(_batch(tf), times=[1, 2]))(),
            "other features": lambda: spec("train", _batch(tf, features=2))(),
            "flat more": lambda: spec("train", _batch(tf, more=np.ones([2])))(),
            "unknown more": lambda: spec("train", dict(_batch(tf), more=some(None)))(),
            "state in training": lambda: spec("train", dict(_batch(tf), start_tuple=repeated()))(),
        },
        graph="sum",
    )
    stage.say(head(name="x").name, head().name, head().logits_dimension)


def regressors(tf, stage):
    ts = tf.contrib.timeseries
    lstm = internal(tf, "estimators", "LSTMAutoRegressor")
    spaces = internal(tf, "estimators", "StateSpaceRegressor")
    config = tf.estimator.RunConfig(stage.folder)
    column = tf.feature_column.numeric_column
    words = tf.feature_column.indicator_column(
        tf.feature_column.categorical_column_with_vocabulary_list("word", ["a", "b"])
    )
    plain = lambda **options: ts.ARRegressor(4, 3, 2, 1, config=config, **options)  # noqa: E731
    stage.attempts(
        lambda: plain(anomaly_distribution="gaussian"),
        lambda: plain(
            anomaly_prior_probability=0.1, loss="squared_loss", anomaly_distribution="cauchy"
        ),
        lambda: plain(anomaly_prior_probability=0.1),
        lambda: spaces(_plain(tf), config=config),
        lambda: lstm(4, 3, 2, optimizer="none", config=config),
        lambda: lstm(4, 3, 2, optimizer=lambda: 3, config=config),
        lambda: ts.StructuralEnsembleRegressor(4, 1, cycle_num_latent_values=4, config=config),
        lambda: ts.StructuralEnsembleRegressor(None, 1, config=config)._model.num_features,
    )
    columns = [column("level"), words]
    made = plain(exogenous_feature_columns=columns)
    of_word = [tf.feature_column.embedding_column(words.categorical_column, 2)]
    for receive in (
        made.build_raw_serving_input_receiver_fn(),
        made.build_raw_serving_input_receiver_fn(2, 5),
        made.build_one_shot_parsing_serving_input_receiver_fn(3, 2),
        made.build_one_shot_parsing_serving_input_receiver_fn(3, 2, 1, tf.int64, True),
        plain(exogenous_feature_columns=of_word).build_raw_serving_input_receiver_fn(),
        ts.StructuralEnsembleRegressor(
            [], 2, moving_average_order=1, config=config
        ).build_raw_serving_input_receiver_fn(default_batch_size=3),
    ):
        with tf.Graph().as_default(), stage.failing():
            given = receive()
            stage.say(sorted((k, str(v.shape), v.dtype.name) for k, v in given.features.items()))
            stage.say(sorted((k, v.name, str(v.shape)) for k, v in given.receiver_tensors.items()))
            stage.brief_graph(names=False)
