"""Estimators: trained on, evaluated twice, predicting in parts, with hooks, settings of clusters, refused."""

import os

import numpy as np

_X = np.arange(8, dtype=np.float32).reshape(8, 1)


def _inputs(tf, rows=8, batch=4, epochs=None, labels=True):
    def input_fn():
        data = {"x": _X[:rows]}, 2.0 * _X[:rows]
        made = tf.data.Dataset.from_tensor_slices(data if labels else data[0])
        return made.repeat(epochs).batch(batch)

    return input_fn


def _model_fn(tf, **given):
    def model_fn(features, labels, mode, params):
        w = tf.get_variable("w", [1, 1], initializer=tf.ones_initializer())
        y = tf.matmul(features["x"], w)
        spec = {"mode": mode, "predictions": {"y": y, "twice": y * 2.0}}
        if labels is not None:
            loss = spec["loss"] = tf.reduce_mean(tf.square(y - labels), name="loss")
            optimizer = tf.train.GradientDescentOptimizer(params.get("rate", 0.01))
            spec["train_op"] = optimizer.minimize(loss, tf.train.get_global_step())
            spec["eval_metric_ops"] = {"mae": tf.metrics.mean_absolute_error(labels, y)}
        output = tf.estimator.export.PredictOutput({"y": y})
        spec["export_outputs"] = {"serving_default": output}
        spec.update({k: v(y, labels) if callable(v) else v for k, v in given.items()})
        return tf.estimator.EstimatorSpec(**{k: v for k, v in spec.items() if v != "none"})

    return model_fn


def _estimator(tf, stage, name="m", params=None, run=None, **given):
    run = {
        "tf_random_seed": 1,
        "save_summary_steps": None,
        "save_checkpoints_steps": 10,
        **(run or {}),
    }
    config = tf.estimator.RunConfig(**{"log_step_count_steps": None, **run})
    folder = f"{stage.folder}/{name}"
    return tf.estimator.Estimator(_model_fn(tf, **given), folder, config, params or {})


def predicting(tf, stage):
    estimator = _estimator(tf, stage)
    estimator.train(_inputs(tf), steps=1)
    inputs = _inputs(tf, rows=3, batch=2, epochs=1, labels=False)
    stage.say(list(estimator.predict(inputs)))
    stage.say(list(estimator.predict(inputs, predict_keys=["y"])))
    stage.say(list(estimator.predict(inputs, predict_keys="twice", yield_single_examples=False)))
    stage.attempt(lambda: list(estimator.predict(inputs, checkpoint_path="none")))
    made = estimator.predict(inputs)
    stage.say(next(made))
    made.close()
    stage.say(len(list(estimator.predict(_inputs(tf, rows=3, epochs=1)))))
    one = _estimator(tf, stage, "one", predictions=lambda y, labels: y)
    one.train(_inputs(tf), steps=1)
    stage.say(list(one.predict(inputs)))
    uneven = _estimator(tf, stage, "m", predictions=lambda y, labels: {"y": y, "s": tf.ones([5])})
    stage.attempt(lambda: list(uneven.predict(inputs)))
    stage.say(len(list(uneven.predict(inputs, yield_single_examples=False))))


def refused(tf, stage):
    def attempt(steps=1, inputs=None, **given):
        estimator = _estimator(tf, stage, **given)
        stage.attempt(lambda: estimator.train(inputs or _inputs(tf), steps=steps) is estimator)

    attempt(loss="none")
    attempt(train_op="none")
    attempt(loss=lambda y, labels: y)
    attempt(loss=lambda y, labels: tf.cast(tf.reduce_sum(y), tf.int32))
    attempt(train_op=3)
    attempt(predictions="none")
    attempt(predictions={})
    attempt(eval_metric_ops={"m": 3})
    attempt(eval_metric_ops={"m": (1,)})
    attempt(export_outputs={"a": 3})
    attempt(export_outputs=3)
    attempt(training_hooks=[3])
    attempt(training_hooks=lambda y, labels: [tf.train.StopAtStepHook(num_steps=1)], steps=5)
    attempt(scaffold=3)
    attempt(mode="other")
    attempt(inputs=lambda: 3)
    attempt(inputs=lambda: ({"x": tf.ones([2, 1])}, tf.ones([2, 1]), 3))
    attempt(inputs=lambda: (_ for _ in ()))
    attempt(inputs=3)
    fn = _model_fn(tf)
    make = tf.estimator.Estimator
    folder = stage.folder + "/n"
    for model_fn in (
        lambda x: x,
        lambda features, other: 1,
        lambda features, labels, more: 1,
        None,
        3,
    ):
        with stage.failing():
            stage.say(type(make(model_fn, folder)).__name__)
    stage.attempt(make, fn, folder, {"tf_random_seed": 1})
    with stage.failing():
        same = tf.estimator.RunConfig(model_dir=stage.folder + "/same")
        stage.say(
            make(fn, None, same).model_dir, make(fn, stage.folder + "/same", same).config.model_dir
        )


def run_configs(tf, stage):
    make = tf.estimator.RunConfig
    fields = (
        "model_dir tf_random_seed save_summary_steps save_checkpoints_steps save_checkpoints_secs "
        "keep_checkpoint_max keep_checkpoint_every_n_hours log_step_count_steps task_type task_id "
        "num_worker_replicas is_chief master evaluation_master global_id_in_cluster protocol service"
    ).split()
    config = make()
    stage.say([getattr(config, name) for name in fields])
    for options in (
        {"save_checkpoints_steps": 5},
        {"save_checkpoints_secs": 5},
        {"save_checkpoints_steps": 5, "save_checkpoints_secs": 5},
        {"save_checkpoints_steps": 0},
        {"save_checkpoints_secs": -1},
        {"save_summary_steps": -1},
        {"save_summary_steps": 0},
        {"keep_checkpoint_max": -1},
        {"keep_checkpoint_every_n_hours": 0},
        {"log_step_count_steps": 0},
        {"tf_random_seed": 1.5},
        {"session_config": 3},
        {"model_dir": ""},
        {"device_fn": 3},
        {"device_fn": lambda a, b: "/cpu:0"},
        {"device_fn": lambda op: "/cpu:0"},
        {"protocol": "grpc"},
        {"protocol": "none"},
        {"session_creation_timeout_secs": 0},
        {"experimental_max_worker_delay_secs": 1},
    ):
        with stage.failing():
            made = make(**options)
            stage.say([getattr(made, name) for name in fields[:9]])
    for changed in (
        {"model_dir": "a"},
        {"tf_random_seed": 3},
        {"task_type": "worker"},
        {"none": 1},
    ):
        with stage.failing():
            made = config.replace(**changed)
            stage.say(made.model_dir, made.tf_random_seed, config.model_dir)
    clusters = [
        '{"cluster": {"chief": ["a:1"], "ps": ["b:1"], "worker": ["c:1", "d:1"]}, '
        f'"task": {{"type": "{kind}", "index": {index}}}}}'
        for kind, index in [
            ("chief", 0),
            ("worker", 1),
            ("ps", 0),
            ("worker", 2),
            ("evaluator", 0),
            ("x", 0),
        ]
    ]
    more = [
        '{"task": {"type": "worker", "index": 0}}',
        "{",
        '{"cluster": {"worker": ["a:1"]}}',
        '{"cluster": {}}',
    ]
    for text in [
        *clusters,
        *more,
        '{"cluster": {"chief": ["a:1", "b:1"]}, "task": {"type": "chief", "index": 0}}',
    ]:
        os.environ["TF_CONFIG"] = text
        with stage.failing():
            made = make()
            stage.say(
                [getattr(made, name) for name in fields[8:15]], sorted(made.cluster_spec.as_dict())
            )
        del os.environ["TF_CONFIG"]


def train_and_evaluate(tf, stage):
    of = tf.estimator

    class Exporter(of.Exporter):
        name = "mine"

        def export(self, estimator, export_path, checkpoint_path, eval_result, is_the_final_export):
            stage.say(
                "export",
                export_path,
                checkpoint_path,
                sorted(eval_result),
                bool(is_the_final_export),
            )

    estimator = _estimator(tf, stage, run={"save_checkpoints_steps": 2})
    train = of.TrainSpec(_inputs(tf), max_steps=5)
    evaluation = of.EvalSpec(
        _inputs(tf, epochs=1), steps=None, exporters=Exporter(), throttle_secs=0, start_delay_secs=0
    )
    made = of.train_and_evaluate(estimator, train, evaluation)
    stage.say(sorted(made[0].items()), made[1])
    stage.say(of.train_and_evaluate(estimator, train, evaluation))
    stage.attempt(of.train_and_evaluate, 3, train, evaluation)
    stage.attempt(of.train_and_evaluate, estimator, 3, evaluation)
    stage.attempt(of.train_and_evaluate, estimator, train, 3)
    for options in (
        {"max_steps": 0},
        {"max_steps": -1},
        {"max_steps": None},
        {"hooks": [3]},
        {"input_fn": 3},
        {"hooks": tf.train.StopAtStepHook(1)},
    ):
        with stage.failing():
            stage.say(str(of.TrainSpec(**{"input_fn": _inputs(tf), **options}))[:9])
    for options in (
        {"steps": 0},
        {"steps": None},
        {"name": 3},
        {"name": ""},
        {"exporters": [3]},
        {"exporters": [Exporter(), Exporter()]},
        {"start_delay_secs": -1},
        {"throttle_secs": -1},
        {"hooks": [3]},
        {"input_fn": 3},
    ):
        with stage.failing():
            stage.say(str(of.EvalSpec(**{"input_fn": _inputs(tf), **options}))[:8])
