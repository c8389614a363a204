"""Estimators: continued training, repeated evaluation, partial prediction, hooks, cluster settings, errors."""

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
