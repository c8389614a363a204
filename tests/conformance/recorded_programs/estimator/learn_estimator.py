"""A `contrib.learn` Estimator with a model function, in an Experiment; tensors evaluated several times."""

import tempfile

import numpy as np

from tests.support.models.estimator_runs import Graphs

TOLERANCE = 1e-4  # five training steps


def build(tf):
    learn, random = tf.contrib.learn, np.random.RandomState(0)
    x = random.randn(20, 3).astype("f")
    y = x.sum(1, keepdims=True)
    graphs, modes = Graphs(tf), []

    def model(features, labels, mode, params):
        modes.append([mode, labels is None])
        outputs = tf.layers.dense(features["x"], 1, name="out")
        loss = train = None
        if mode != learn.ModeKeys.INFER:
            loss = tf.losses.mean_squared_error(labels, outputs)
        if mode == learn.ModeKeys.TRAIN:
            train = tf.contrib.layers.optimize_loss(
                loss, tf.train.get_global_step(), params["rate"], "SGD"
            )
        return learn.ModelFnOps(mode, {"y": outputs}, loss, train)

    def input_fn():
        return {"x": tf.constant(x)}, tf.constant(y)

    def features_fn():
        return {"x": tf.constant(x[:4])}

    with tempfile.TemporaryDirectory() as folder:

        def make(output_dir):
            config = learn.RunConfig(tf_random_seed=5, save_checkpoints_steps=2)
            estimator = learn.Estimator(model, output_dir, config, params={"rate": 0.1})
            error = learn.MetricSpec(tf.metrics.mean_absolute_error, prediction_key="y")
            return learn.Experiment(
                estimator,
                input_fn,
                input_fn,
                eval_metrics={"error": error},
                train_steps=5,
                eval_steps=1,
                train_monitors=[graphs.hook],
                eval_delay_secs=0,
            )

        learn.learn_runner.run(make, folder, "train")
        found = learn.learn_runner.run(make, folder, "evaluate")
        estimator = make(folder).estimator
        asked = [row["y"] for row in estimator.predict(input_fn=features_fn)]
        names = estimator.get_variable_names()
        values = [[found[name] for name in sorted(found)], asked]
        values += [np.array(estimator.get_variable_value(name)) for name in names]
    with tf.Graph().as_default():
        count = tf.Variable(0)
        runs = learn.run_n({"count": count.assign_add(2)}, n=3)
    facts = {
        "modes": modes,
        "names": names,
        "results": sorted(found),
        "graphs": graphs.seen,
        "runs": [int(run["count"]) for run in runs],
    }
    tf.summary.FileWriterCache.clear()  # stops the writer threads
    fed = [tf.placeholder(tf.float32) for _ in values]
    step = ("values", [tf.identity(t) for t in fed], dict(zip(fed, values)))
    return {"facts": facts, "steps": [step]}
