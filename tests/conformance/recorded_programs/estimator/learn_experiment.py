"""`contrib.learn` Experiments: schedules, evaluation, export and logging; RunConfigs of a cluster."""

import json
import os
import tempfile

import numpy as np

from tests.support.models.estimator_runs import lines

TOLERANCE = 1e-4  # some training steps
BEGINNINGS = (
    *("Using model_dir", "Validation", "Saving checkpoints", "Saving dict", "Training", "Stop"),
    *("Restoring", "Loss for", "Evaluation", "Checking", "Exiting", "Schedule", "Evaluating"),
    *("Skipping", "Create", "ClusterSpec", "Step "),
)
CLUSTER = {"worker": ["a:1", "b:2"], "ps": ["c:3"]}


def build(tf):
    learn, random = tf.contrib.learn, np.random.RandomState(0)
    x = random.randn(20, 3).astype("f")
    y = x.sum(1, keepdims=True)

    def model(features, labels, mode):
        outputs = tf.layers.dense(features["x"], 1, name="out")
        loss = train = None
        if mode != learn.ModeKeys.INFER:
            loss = tf.losses.mean_squared_error(labels, outputs)
        if mode == learn.ModeKeys.TRAIN:
            train = tf.train.GradientDescentOptimizer(0.1).minimize(
                loss, tf.train.get_global_step()
            )
        return learn.ModelFnOps(mode, {"y": outputs}, loss, train)

    def rows():
        return {"x": tf.constant(x)}, tf.constant(y)

    def serving():
        fed = tf.placeholder(tf.float32, [None, 3])
        return learn.InputFnOps({"x": fed}, None, {"x": fed})

    told, values = {}, []
    with tempfile.TemporaryDirectory() as folder:

        def make(**options):
            config = learn.RunConfig(tf_random_seed=5, save_checkpoints_steps=2)
            error = learn.MetricSpec(tf.metrics.mean_absolute_error, prediction_key="y")
            options = dict({"train_steps": 5, "eval_delay_secs": 0}, **options)
            estimator = learn.Estimator(model, folder, config)
            return learn.Experiment(
                estimator,
                rows,
                rows,
                {"error": error},
                eval_steps=1,
                check_interval_secs=None,
                continuous_eval_throttle_secs=0,
                **options,
            )

        strategy = learn.make_export_strategy(serving, exports_to_keep=1)
        runs = [
            ("each", lambda: make().train_and_evaluate()),
            ("last", lambda: make(train_steps=6).local_run()),
            (
                "exports",
                lambda: make(train_steps=8, checkpoint_and_export=True).train_and_evaluate(),
            ),
            (
                "turns",
                lambda: make(
                    train_steps=11, train_steps_per_iteration=2
                ).continuous_train_and_eval(),
            ),
            ("some", lambda: make(train_steps=11).continuous_eval()),
            ("test", lambda: make(export_strategies=strategy).test()),
            (
                "nothing",
                lambda: learn.learn_runner.run(lambda output_dir: make(), "x", "train_steps"),
            ),
            ("empty", lambda: learn.learn_runner.run(make, "")),
        ]
        for name, run in runs:
            with lines(tf, BEGINNINGS, folder) as logged:
                try:
                    found = run()
                except (ValueError, TypeError) as error:
                    told[name] = [type(error).__name__, str(error)]
                    continue
            results = found[0] if isinstance(found, tuple) else found
            told[name] = [logged, sorted(results or {})]
            values += [results[key] for key in sorted(results or {})]
        told["exports kept"] = len(os.listdir(folder + "/export/Servo"))
    places = [
        ("worker", 0, None),
        ("worker", 1, None),
        ("ps", 0, None),
        ("master", 0, "cloud"),
        ("worker", 9, "local"),
        ("chief", 0, None),
    ]
    for job, number, environment in places:
        cluster = dict(CLUSTER, master=["d:4"]) if job == "master" else CLUSTER
        said = {"cluster": cluster, "task": {"type": job, "index": number}}
        if environment:
            said["environment"] = environment
        os.environ["TF_CONFIG"] = json.dumps(said)
        try:
            config = learn.RunConfig(model_dir="m", save_checkpoints_steps=3)
            told[job + str(number)] = [
                [config.is_chief, config.master, config.num_ps_replicas],
                [config.num_worker_replicas, config.task_id, config.environment],
                list(vars(config)),
            ]
        except ValueError as error:
            told[job + str(number)] = str(error).split("\n")[0]
        finally:
            del os.environ["TF_CONFIG"]
    tf.summary.FileWriterCache.clear()  # stops the writer threads
    fed = [tf.placeholder(tf.float32) for _ in values]
    step = ("values", [tf.identity(t) for t in fed], dict(zip(fed, values)))
    return {"facts": told, "steps": [step]}
