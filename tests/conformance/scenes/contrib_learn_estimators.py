"""tf.contrib.learn: run configs; an Estimator's fit, evaluate and predict, and their errors; SKCompat."""

# ruff: noqa: E731

import contextlib
import os

import numpy as np


@contextlib.contextmanager
def _without_info(tf):
    """Context without log lines that show a config, where clusters print differently."""
    level = tf.logging.get_verbosity()
    tf.logging.set_verbosity(tf.logging.WARN)
    yield
    tf.logging.set_verbosity(level)


def configs(tf, stage):
    learn = tf.contrib.learn
    hidden = ("_tf_config", "_cluster_spec", "_session_config")

    def said(config):
        rows = sorted((k, v) for k, v in vars(config).items() if k not in hidden)
        tf_config = getattr(config, "_tf_config", None)
        return [rows, config.cluster_spec.as_dict(), str(tf_config).replace("\n", " ")]

    def placed(config):
        names = ("environment", "is_chief", "master", "num_ps_replicas", "num_worker_replicas")
        more = ("task_id", "task_type", "model_dir", "evaluation_master")
        return [getattr(config, name) for name in (*names, *more)], config.cluster_spec.as_dict()

    given = learn.RunConfig(
        "grpc://a:1",
        3,
        True,
        0.5,
        7,
        5,
        None,
        9,
        2,
        3.5,
        11,
        "grpc",
        "grpc://b:2",
        stage.folder,
        tf.ConfigProto(allow_soft_placement=True),
        60,
    )
    tasks = (
        None,
        {
            "cluster": {"ps": ["a:1"], "worker": ["b:1", "c:1"]},
            "task": {"type": "worker", "index": 1},
        },
        {"cluster": {"ps": ["a:1"], "worker": ["b:1"]}, "task": {"type": "worker", "index": 0}},
        {
            "cluster": {"ps": ["a:1"], "master": ["m:1"]},
            "task": {"type": "master"},
            "environment": "cloud",
        },
        {
            "cluster": {"ps": ["a:1"], "worker": ["b:1"]},
            "task": {"type": "worker"},
            "environment": "cloud",
        },
        {
            "cluster": {"worker": ["b:1"]},
            "task": {"type": "worker", "index": 0},
            "environment": "google",
        },
        {"cluster": {"ps": ["a:1"], "worker": ["b:1"]}, "task": {"type": "worker", "index": 3}},
        {"cluster": {"ps": ["a:1"]}, "task": {"type": "worker", "index": 0}},
        {"cluster": {"ps": ["a:1"]}, "task": {"index": 2}},
        {"model_dir": stage.folder + "/told"},
    )
    kept = os.environ.pop("TF_CONFIG", None)
    try:
        for task in tasks:
            if task is not None:
                os.environ["TF_CONFIG"] = repr(task).replace("'", '"')
            stage.attempt(lambda: placed(learn.RunConfig()))
            stage.attempt(lambda: placed(learn.RunConfig("own", model_dir=stage.folder + "/told")))
        stage.attempt(learn.RunConfig, model_dir=stage.folder + "/other")
    finally:
        os.environ.pop("TF_CONFIG", None)
        if kept is not None:
            os.environ["TF_CONFIG"] = kept
    stage.attempts(
        lambda: said(given.replace(model_dir=stage.folder + "/new")),
        lambda: given.replace(master="x"),
        lambda: given.replace(save_checkpoints_secs=3, save_checkpoints_steps=3),
        lambda: [k for k in given.uid().split(", ") if "model_dir" not in k and "0x" not in k],
        lambda: (
            learn.RunConfig(num_cores=1).uid(["tf_config"])
            == learn.RunConfig(num_cores=2).uid(["tf_config"])
        ),
    )


def estimators_refuse(tf, stage):
    learn = tf.contrib.learn
    config = learn.RunConfig(model_dir=stage.folder, tf_random_seed=2)
    rows = lambda: ({"x": tf.constant([[1.0], [2.0]])}, tf.constant([[1.0], [3.0]]))

    def model(features, labels, mode, params):
        y = tf.layers.dense(features["x"], 1, kernel_initializer=tf.ones_initializer(), name="d")
        stage.say(mode, params, sorted(features), labels is None)
        if labels is None:
            return learn.ModelFnOps(mode, {"y": y, "z": y * 2})
        loss = tf.losses.mean_squared_error(labels, y)
        train = tf.train.GradientDescentOptimizer(0.1).minimize(loss, tf.train.get_global_step())
        return {"y": y}, loss, train

    def engineered(features, labels):
        return {"x": features["x"] * 2}, labels

    with _without_info(tf):
        made = learn.Estimator(
            model, config=config, params={"p": 1}, feature_engineering_fn=engineered
        )
        stage.attempts(
            lambda: learn.Estimator(model, stage.folder + "/other", config),
            lambda: type(learn.Estimator(model, config=config)).__name__,
        )
    x, y = np.float32([[1.0], [2.0]]), np.float32([1.0, 2.0])
    serving = lambda: learn.InputFnOps({"x": tf.placeholder(tf.float32, [None, 1])}, None, {})
    stage.attempts(
        lambda: made.fit(x, y, steps=1, max_steps=1),
        lambda: made.fit(x, y, input_fn=rows),
        lambda: made.fit(input_fn=rows, batch_size=3),
        lambda: made.fit(),
        lambda: made.fit(tf.ones([2, 1]), y, steps=1),
        lambda: made.evaluate(x, y, feed_fn=lambda: {}),
        lambda: made.evaluate(input_fn=rows, metrics=[1]),
        lambda: made.evaluate(input_fn=rows, steps=1),
        lambda: made.export_savedmodel(stage.folder + "/out", serving),
        lambda: made.export_savedmodel(stage.folder + "/out", None),
        lambda: made.get_variable_names(),
        lambda: made.fit(input_fn=rows, steps=2) is made,
        lambda: made.fit(input_fn=rows, max_steps=2) is made,
        lambda: made.fit(input_fn=rows, max_steps=3) is made,
        lambda: sorted(made.evaluate(input_fn=rows, steps=1).items()),
        lambda: sorted(
            made.evaluate(input_fn=rows, steps=2, name="own", log_progress=False).items()
        ),
        lambda: sorted(
            made.evaluate(
                input_fn=rows,
                steps=1,
                metrics={
                    ("mine", "y"): tf.metrics.mean_absolute_error,
                    ("two", "y"): lambda a, b: tf.constant(3, tf.uint8),
                },
            ).items()
        ),
        lambda: made.evaluate(input_fn=rows, steps=1, metrics={("a", "b", "c"): tf.metrics.mean}),
        lambda: made.evaluate(input_fn=rows, steps=1, metrics={"a": tf.metrics.mean}),
        lambda: made.evaluate(input_fn=rows, steps=1, checkpoint_path=stage.folder + "/none"),
        lambda: list(made.predict(input_fn=rows)),
        lambda: list(made.predict(input_fn=lambda: rows()[0], outputs=["z"])),
        lambda: list(made.predict(input_fn=rows, iterate_batches=True)),
        lambda: list(made.predict({"x": x}, batch_size=1)),
        lambda: made.predict({"x": x}, as_iterable=False, batch_size=1),
        lambda: list(made.predict({"x": np.float64([[1.0], [2.0]])})),
        lambda: made.fit({"x": x, "y": x}, y, steps=1),
        lambda: made.fit(input_fn=lambda: ({"x": tf.ones([2, 2])}, tf.ones([2, 1])), steps=1),
        lambda: made.fit(
            input_fn=lambda: ({"x": tf.ones([2, 1])}, tf.ones([2, 1], tf.int32)), steps=1
        ),
        lambda: made.partial_fit(input_fn=rows) is made,
    )
    stage.files()
    stage.files(stage.folder + "/eval_own")


def arrays_for_scikit_learn(tf, stage):
    learn = tf.contrib.learn
    x = np.float32([[1.0, 2.0], [3.0, 4.0], [5.0, 6.0]])
    infer = lambda x: list(map(tuple, learn.infer_real_valued_columns_from_input(x)))
    stage.attempts(
        lambda: infer(x), lambda: infer(np.array([["a"]])), lambda: infer(tf.ones([2, 2]))
    )

    def model(features, labels, mode):
        y = tf.reduce_sum(features, 1)
        predictions = {"y": y, "x": features}
        if mode == "infer":
            return learn.ModelFnOps(mode, predictions)
        step = tf.assign_add(tf.train.get_global_step(), 1)
        stage.say(mode, features, labels)
        return learn.ModelFnOps(
            mode,
            predictions,
            tf.losses.mean_squared_error(labels, y),
            step.op,
            eval_metric_ops={"mean": tf.metrics.mean(y)},
        )

    config = learn.RunConfig(model_dir=stage.folder, tf_random_seed=2)
    with _without_info(tf):
        made = learn.SKCompat(learn.Estimator(model, config=config))
    y = np.float32([1.0, 2.0, 3.0])
    stage.attempts(
        lambda: made.predict(x),
        lambda: made.fit(x, y, batch_size=0, steps=1),
        lambda: made.fit(x, y, 2, steps=3) is made,
        lambda: made.fit(x, y, max_steps=4, monitors=[tf.train.SessionRunHook()]) is made,
        lambda: sorted(made.score(x, y, batch_size=2).items()),
        lambda: sorted(
            made.score(
                x, y, metrics={("own", "y"): tf.metrics.mean_absolute_error}, steps=1
            ).items()
        ),
        lambda: made.predict(x, outputs=["none"]),
    )
