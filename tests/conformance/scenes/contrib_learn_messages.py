"""tf.contrib.learn, factorization, timeseries, eager: log messages, and rare errors."""

# ruff: noqa: E731

import json
import os
import tempfile
from unittest import mock

import numpy as np

from tests.conformance import scenes
from tests.conformance.scenes.contrib_factored import _fitted
from tests.support.models.series_runs import internal


def _without_times(record):
    text = record.getMessage()
    return not any(
        word in text
        for word in ("sec/batch", "sec)", "Using config", "global_step/sec", "final step")
    )


def sweeps(tf, stage):
    tf.logging.set_verbosity(tf.logging.INFO)
    stage.addFilter(_without_times)
    model, given = _fitted(tf, stage, "plain", row_init="random", max_sweeps=3)
    stage.attempt(lambda: model.fit(input_fn=given(), steps=4) is model)
    config = tf.contrib.learn.RunConfig(model_dir=stage.folder + "/many")
    config._num_worker_replicas = 2
    of = tf.contrib.factorization.WALSMatrixFactorization
    stage.attempt(lambda: of(3, 4, 2, config=config, max_sweeps=2))


def trained_to_the_end(tf, stage):
    stage.addFilter(_without_times)
    learn = tf.contrib.learn

    class Told(learn.monitors.EveryN):
        calls = 0

        def every_n_step_end(self, step, outputs):
            self.calls += 1
            stage.say("step", step, sorted(map(str, outputs)))
            return self.calls >= 3

        def end(self, session=None):
            super().end(session)
            stage.say("ended")

    def run(name, still=False, ends=None, counted=True, **options):
        stage.say(name)
        with tf.Graph().as_default() as graph:
            w = tf.get_variable("w", initializer=4.0)
            loss = tf.identity(w * w, name="loss")
            if ends is not None:
                with tf.control_dependencies([tf.train.limit_epochs(tf.constant(1.0), ends)]):
                    loss = tf.identity(loss, name="limited")
            with tf.control_dependencies([loss]):
                if counted:
                    step = tf.train.create_global_step()
                    train = tf.no_op() if still else tf.assign_add(step, 1).op
                else:
                    train = tf.assign(w, 2.0).op
            given = {"supervisor_save_model_secs": 0, "train_op": train, "loss_op": loss, **options}
            stage.attempt(lambda: learn.train(graph, stage.folder + "/" + name, **given))
        if os.path.isdir(stage.folder + "/" + name):
            stage.files(stage.folder + "/" + name)

    def wrong():
        raise KeyError("of a feed")

    run("plain", steps=2, log_every_steps=1)
    run("stopped", steps=9, monitors=[Told(1)])
    run("still", still=True, steps=1, monitors=[Told(1)], init_fn=lambda session: None)
    run("uncounted", counted=False, steps=1)
    run("at an end", ends=2, steps=9)
    run("iterated", feed_fn=iter([{}, {}]).__next__, steps=9)
    run("fed wrongly", feed_fn=wrong, steps=9)
    with tf.Graph().as_default() as graph:
        step = tf.train.create_global_step()
        stage.attempt(
            lambda: learn.train(
                graph, stage.folder + "/given", tf.assign_add(step, 1).op, tf.constant(1.0), step, steps=1,
                supervisor_save_model_secs=0, keep_checkpoint_max=1,
            )
        )  # fmt: skip
    stage.files(stage.folder + "/given")


def models(tf, stage):
    learn, layers = tf.contrib.learn, tf.contrib.layers
    stage.addFilter(_without_times)
    x = layers.real_valued_column("x")
    rows = lambda: ({"x": tf.ones([2, 1])}, tf.constant([[1], [0]]))

    def numbers(features, labels):
        w = tf.get_variable("w", initializer=1.0)
        step = tf.train.get_global_step()
        return features["x"] * w, tf.reduce_sum(w * w), tf.assign_add(step, 1).op

    def listed(step):
        return ("loss",)

    with mock.patch.object(tempfile, "mkdtemp", lambda: stage.folder + "/temporary"):
        estimator = learn.Estimator(numbers)
    kept = learn.Estimator(numbers, model_dir=stage.folder + "/kept")
    stage.say(estimator.model_dir)
    odd = learn.monitors.BaseMonitor()
    odd.step_begin = listed
    stage.attempts(
        lambda: kept.fit(input_fn=rows, steps=1) is kept,
        lambda: kept.fit(input_fn=rows, steps=1, monitors=[odd]),
        lambda: list(kept.predict(input_fn=rows, outputs=["none"])),
        lambda: kept.evaluate(input_fn=rows, steps=1, metrics=3),
        lambda: sorted(kept.evaluate(input_fn=rows, steps=1)),
        lambda: learn.Estimator(numbers, "/one", learn.RunConfig(model_dir="/two")),
    )

    def spec(make, features=None):
        with tf.Graph().as_default():
            tf.train.create_global_step()
            made = make()._call_model_fn(
                features() if features else {"x": tf.ones([2, 1])}, tf.constant([[1], [0]]), "train"
            )
            return made.loss.name

    class Sync(tf.train.SyncReplicasOptimizer):
        def __init__(self):
            super().__init__(tf.train.GradientDescentOptimizer(0.5), 1)

    options = {"dnn_feature_columns": [x], "linear_feature_columns": [x], "dnn_hidden_units": [1]}
    options["fix_global_step_increment_bug"] = True
    both = lambda **more: learn.DNNLinearCombinedClassifier(stage.folder, **{**options, **more})
    dual = tf.contrib.linear_optimizer.SDCAOptimizer(example_id_column="id")
    word = layers.sparse_column_with_hash_bucket("word", 3)
    linear = lambda *columns: learn.LinearClassifier(list(columns), stage.folder, optimizer=dual)
    named = lambda **more: {"id": tf.constant(["0", "1"]), **more}
    sparse = lambda: tf.SparseTensor(
        tf.placeholder(tf.int64, [2, 2]), ["a", "b"], tf.placeholder(tf.int64, [2])
    )
    known = lambda: tf.SparseTensor([[0, 0], [1, 0]], ["a", "b"], [2, 1])
    stage.attempts(
        lambda: spec(both),
        lambda: spec(lambda: both(dnn_optimizer=Sync)),
        lambda: spec(lambda: both(linear_optimizer=Sync())),
        lambda: spec(lambda: both(dnn_hidden_units=None)),
        lambda: spec(lambda: both(dnn_feature_columns=None, linear_feature_columns=())),
        lambda: spec(lambda: linear(word), lambda: named(word=sparse())),
        lambda: spec(lambda: linear(word), lambda: named(word=known())),
        lambda: spec(lambda: linear(layers.embedding_column(word, 2)), lambda: named(word=known())),
        lambda: spec(lambda: linear(layers.one_hot_column(word)), lambda: named(word=known())),
        lambda: spec(lambda: linear(x), lambda: {"x": tf.ones([2, 1])}),
    )

    stage.attempts(
        lambda: learn.MetricSpec(tf.metrics.mean, "p").create_metric_ops({}, {}, 3.0),
        lambda: learn.MetricSpec(tf.metrics.accuracy, "p", "l").create_metric_ops(
            {}, 3.0, {"p": 1.0}
        ),
        lambda: learn.MetricSpec(tf.metrics.accuracy, None, None, "w").create_metric_ops(
            {}, 1.0, 1.0
        ),
        lambda: learn.MetricSpec(tf.metrics.accuracy).create_metric_ops({}, {"a": 1, "b": 2}, 1.0),
        lambda: (
            learn.MetricSpec(tf.metrics.accuracy).create_metric_ops({}, {"a": 1}, {"a": 1})[0].name
        ),
    )


def experiments_logged(tf, stage):
    stage.addFilter(_without_times)
    learn = tf.contrib.learn

    def model(features, labels, mode):
        w = tf.get_variable("w", initializer=1.0)
        step = tf.train.get_global_step()
        return tf.estimator.EstimatorSpec(mode, {"w": w}, w * w, tf.assign_add(step, 1))

    config = tf.estimator.RunConfig(
        save_checkpoints_steps=2, save_checkpoints_secs=None, save_summary_steps=None,
        log_step_count_steps=None,
    )  # fmt: skip
    estimator = tf.estimator.Estimator(model, stage.folder + "/m", config)
    rows = lambda: tf.data.Dataset.from_tensors((1.0, 1.0)).repeat(4)

    def export(estimator, path, checkpoint_path=None):
        return "out", os.path.basename(checkpoint_path or "none")

    def made(**options):
        given = {"train_steps": 3, "eval_steps": 1, "eval_delay_secs": 0}
        given["continuous_eval_throttle_secs"] = 0
        return learn.Experiment(estimator, rows, rows, **{**given, **options})

    strategy = learn.ExportStrategy("mine", export)
    stage.attempts(
        lambda: made(checkpoint_and_export=True, export_strategies=strategy).train_and_evaluate()[
            1
        ],
        lambda: made(checkpoint_and_export=True, train_steps=3).train_and_evaluate()[1],
        lambda: made(eval_delay_secs=0.001).continuous_eval(),
    )
    monitor = learn.monitors.ValidationMonitor(np.ones([2, 1]), np.ones([2]), every_n_steps=1)
    stage.attempt(
        made(train_monitors=[monitor], train_steps=6, min_eval_frequency=0).train_and_evaluate
    )

    stage.attempt(
        lambda: learn.learn_runner.run(
            lambda run_config, hparams: learn.Experiment(estimator, rows, rows),
            run_config=learn.RunConfig(model_dir=stage.folder),
        )
    )
    for task in (
        {"type": "worker", "index": 5},
        {"type": "none", "index": 0},
        {"type": "ps", "index": -1},
    ):
        jobs = {"ps": ["a:1"], "worker": ["b:1", "c:1"]}
        os.environ["TF_CONFIG"] = json.dumps({"cluster": jobs, "task": task})
        with stage.failing():
            stage.say(learn.RunConfig().master)
    del os.environ["TF_CONFIG"]


def series_refused(tf, stage):
    series = tf.contrib.timeseries
    space = lambda name: internal(tf, "state_space_models." + name[0], name[1])
    configuration = space(("state_space_model", "StateSpaceModelConfiguration"))
    ensemble = space(("state_space_model", "StateSpaceCorrelatedFeaturesEnsemble"))
    level = space(("level_trend", "AdderStateSpaceModel"))
    sequential = internal(tf, "model", "SequentialTimeSeriesModel")
    flat = series.ARModel(3, 4, 2, 1)

    class Own(sequential):
        def __init__(self, **options):
            super().__init__([], [], 1, **options)

        _exogenous_input_step = _filtering_step = _prediction_step = None
        _imputation_step = get_start_state = None

    one = lambda: level(configuration(num_features=1))
    unknown = tf.feature_column.numeric_column("more")

    def raw(**features):
        model = series.ARModel(3, 4, 2, 1, exogenous_feature_columns=[unknown])
        model.initialize_graph()
        return model._process_exogenous_features(tf.ones([1, 2], tf.int64), features)

    def parsed(column):
        made = series.ARRegressor(
            3, 4, 2, 1, exogenous_feature_columns=[column], model_dir=stage.folder
        )
        return sorted(made.build_one_shot_parsing_serving_input_receiver_fn(4, 2)().features)

    words = tf.feature_column.categorical_column_with_vocabulary_list
    stage.attempts(
        lambda: flat.generate(1, 2, {}),
        lambda: Own(normalize_features=True)._scale_back_predictions({}),
        lambda: ensemble([one()], configuration(num_features=2)),
        lambda: type(ensemble([one(), one()], configuration(num_features=2))).__name__,
        lambda: raw(more=tf.placeholder(tf.float32)),
        lambda: raw(more=tf.ones([1, 2])).shape,
        lambda: raw(more=tf.ones([1, 2, 1])).shape,
        lambda: parsed(tf.feature_column.indicator_column(words("word", ["a", "b"]))),
        lambda: parsed(tf.feature_column.indicator_column(words("count", [1, 2]))),
        lambda: parsed(tf.feature_column.numeric_column("many", [2])),
    )


def networks(tf, stage):
    tfe = tf.contrib.eager

    class Inner(tfe.Network):
        def __init__(self, name=None):
            super().__init__(name)
            self.layer = self.track_layer(tf.layers.Dense(1, name="one"))

        def call(self, x):
            return self.layer(x)

    class Apart(tfe.Network):
        def __init__(self, name=None):
            super().__init__(name)
            self.inner = self.track_layer(Inner("inner"))

        def call(self, x):
            with tf.variable_scope("between"):
                return self.inner(x)

    class Twice(Inner):
        def call(self, x):
            self.other = self.track_layer(Inner("inner"))
            return self.other(self.layer(x))

    with scenes.eager_mode(tf):
        x = tf.ones([2, 2])
        stage.attempts(
            lambda: Inner("a/b"),
            lambda: Inner()(x).shape,
            lambda: Inner("same")(x).shape,
            lambda: Inner("same")(x).shape,
            lambda: Apart("apart")(x).shape,
            lambda: Twice("twice")(x).shape,
            lambda: Inner("scoped")(x, scope="s"),
            lambda: [v.name for v in Twice("named").variables],
            lambda: Inner("tracked").track_layer(3),
            lambda: Inner("got").get_layer("one").name,
            lambda: Inner("got").get_layer(index=0).name,
            lambda: Inner("got").get_layer("none"),
            lambda: Inner("got").get_layer(index=3),
            lambda: Inner("got").get_layer(),
            lambda: Inner("got").get_layer("one", 0),
            lambda: Inner("got").add_loss(1.0),
            lambda: Inner("got").input_shape,
        )
    with tf.variable_scope("around") as around:
        stage.attempt(lambda: Inner(around))
        stage.attempt(lambda: Inner("inside")(tf.ones([2, 2])).name)
        stage.attempt(lambda: Inner("with")(tf.ones([2, 2]), scope=around).name)
