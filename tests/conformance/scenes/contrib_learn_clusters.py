"""Rare paths of tf.contrib.learn: cluster settings, experiments in clusters, metric arguments, errors."""

import functools
import json
import os

from tests.conformance.scenes.contrib_learn_runs import _estimator


def _in_cluster(tf, **task):
    """A RunConfig from TF_CONFIG."""
    before = os.environ.get("TF_CONFIG")
    os.environ["TF_CONFIG"] = json.dumps(task)
    try:
        return tf.contrib.learn.RunConfig(tf_random_seed=7)
    finally:
        if before is None:
            del os.environ["TF_CONFIG"]
        else:
            os.environ["TF_CONFIG"] = before


_CLUSTER = {"worker": ["a:1", "b:2"], "ps": ["c:3"], "master": ["d:4"]}


def configs_of_clusters(tf, stage):
    for cluster, kind, index, environment in (
        (_CLUSTER, "worker", 0, "local"),
        (_CLUSTER, "worker", 1, "cloud"),
        (_CLUSTER, "master", 0, "cloud"),
        (_CLUSTER, "master", 0, "google"),
        (_CLUSTER, "ps", 0, "cloud"),
        (_CLUSTER, "ps", 1, "cloud"),
        (_CLUSTER, "other", 0, "cloud"),
        (_CLUSTER, "worker", -1, "local"),
        (_CLUSTER, None, 0, "cloud"),
        ({"worker": ["a:1"]}, "worker", 0, "local"),
        ({"worker": ["a:1"]}, "other", 0, "local"),
        ({}, "worker", 2, "cloud"),
    ):
        stage.say(kind, index, environment)
        with stage.failing():
            task = {"index": index} if kind is None else {"type": kind, "index": index}
            config = _in_cluster(tf, cluster=cluster, task=task, environment=environment)
            stage.say(config.master, config.is_chief, config.task_id, config.task_type)
            stage.say(config.num_ps_replicas, config.num_worker_replicas, config.environment)
            stage.say(config.evaluation_master == "", sorted(config.cluster_spec.as_dict().items()))
            stage.say(config.get_task_id(), config.tf_random_seed, config.model_dir)
            stage.say(sorted(config.uid().split(",")[0:1]) != [], config.uid() == config.uid())


def experiments_of_clusters(tf, stage):
    learn = tf.contrib.learn

    def made(config, **options):
        estimator = _estimator(tf, stage, config=config)
        return learn.Experiment(estimator, lambda: None, lambda: None, train_steps=2, **options)

    def cluster(kind, index, environment):
        return _in_cluster(
            tf, cluster=_CLUSTER, task={"type": kind, "index": index}, environment=environment
        )

    local = cluster("worker", 0, "local")
    google = cluster("worker", 0, "google")
    stage.attempts(
        lambda: made(local).train() and "trained",
        lambda: made(google).train() and "trained",
        lambda: made(google, delay_workers_by_global_step=True).train() and "trained",
        lambda: (
            made(cluster("worker", 1, "local"), delay_workers_by_global_step=True).train() and 1
        ),
        lambda: made(cluster("worker", 1, "local")).train(delay_secs=0.001) and 1,
        lambda: made(local, eval_delay_secs=0.001).evaluate(),
        lambda: made(local).evaluate(delay_secs=0.002, name="mine"),
        lambda: made(google, eval_hooks=[1]).evaluate(0),
    )
    goes_on = iter([True, True, False])
    made(
        google, eval_delay_secs=0.001, continuous_eval_throttle_secs=0, export_strategies=None
    ).continuous_eval(continuous_eval_predicate_fn=lambda results: next(goes_on))
    os.rename(stage.folder + "/checkpoint", stage.folder + "/none")
    goes_on = iter([True, True, True, False])
    made(google).continuous_eval(
        delay_secs=0,
        throttle_delay_secs=0,
        continuous_eval_predicate_fn=lambda results, checkpoint_path: next(goes_on),
        name="waits",
    )


def arguments_of_measures(tf, stage):
    spec = tf.contrib.learn.MetricSpec
    one, two = tf.constant([1.0, 2.0]), tf.constant([1.0, 4.0])
    weights = {"w": tf.constant([1.0, 0.5])}

    def told(name):
        def case(**given):
            stage.say(name, sorted((k, getattr(v, "name", v)) for k, v in given.items()))
            return name

        return case

    def labels_first(labels, predictions, weights=None):
        return told("labels first")(labels=labels, predictions=predictions, weights=weights)

    def predictions_first(predictions, labels):
        return told("predictions first")(labels=labels, predictions=predictions)

    def of_others(label, prediction, weight=None):
        return told("others")(labels=label, predictions=prediction, weights=weight)

    def unnamed(a, labels):
        return told("unnamed")(a=a, labels=labels)

    def alone(predictions):
        return told("alone")(predictions=predictions)

    def targets_first(targets, x):
        return told("targets first")(targets=targets, x=x)

    def nothing(x):
        return told("nothing")(x=x)

    bound = functools.partial(labels_first, weights=None)
    for function, options, given in (
        (labels_first, {}, (None, one, two)),
        (labels_first, {"weight_key": "w"}, (weights, one, two)),
        (labels_first, {"weight_key": "none"}, (weights, one, two)),
        (
            labels_first,
            {"prediction_key": "p", "label_key": "y"},
            ({}, {"y": one, "z": two}, {"p": two}),
        ),
        (labels_first, {"prediction_key": "q"}, ({}, one, {"p": two})),
        (labels_first, {"prediction_key": "q"}, ({}, one, two)),
        (labels_first, {"label_key": "y"}, ({}, one, two)),
        (labels_first, {}, ({}, {"y": one}, {"p": two})),
        (labels_first, {}, ({}, {"y": one, "z": one}, {"p": two})),
        (predictions_first, {}, (None, one, two)),
        (of_others, {"weight_key": "w"}, (weights, one, two)),
        (unnamed, {}, (None, one, two)),
        (alone, {}, (None, None, two)),
        (alone, {}, (None, one, two)),
        (targets_first, {"label_key": "y"}, (None, {"y": one}, two)),
        (nothing, {}, (None, None, two)),
        (bound, {}, (None, one, two)),
        (bound, {"label_key": "y"}, (None, {"y": two}, one)),
        (tf.contrib.metrics.streaming_accuracy, {"weight_key": "w"}, (weights, one, two)),
    ):
        stage.say(getattr(function, "__name__", "other"), sorted(options.items()))
        with stage.failing():
            made = spec(function, **options)
            stage.say(made.prediction_key, made.label_key, made.weight_key)
            stage.say(str(made).partition("metric_fn")[2])
            found = made.create_metric_ops(*given)
            stage.say(found if isinstance(found, str) else [x.name for x in found])
    stage.attempts(lambda: spec(labels_first).metric_fn(1, 2))


def dual_models_refused(tf, stage):
    learn, layers = tf.contrib.learn, tf.contrib.layers
    classifier = functools.partial(learn.LinearClassifier, model_dir=stage.folder)
    regressor = functools.partial(learn.LinearRegressor, model_dir=stage.folder)
    sdca = tf.contrib.linear_optimizer.SDCAOptimizer
    x = layers.real_valued_column("x")
    words = layers.sparse_column_with_hash_bucket("words", 5)
    dual = lambda: sdca(example_id_column="id")  # noqa: E731

    def trained(make, features=None, labels=((1,), (0,))):
        with tf.Graph().as_default():
            tf.train.create_global_step()
            given = {"id": tf.constant(["0", "1"]), "x": tf.constant([[1.0], [2.0]])}
            given.update(features or {})
            model = make()
            spec = model._call_model_fn(
                {k: v() if callable(v) else v for k, v in given.items()},
                tf.constant(labels),
                "train",
            )
            return spec.loss.name, sorted(v.name for v in tf.global_variables())

    sparse = lambda: tf.SparseTensor([[0, 0], [1, 0]], ["a", "b"], [2, 1])  # noqa: E731
    tf.logging.set_verbosity("WARN")
    stage.attempts(
        lambda: classifier([x], optimizer=dual(), enable_centered_bias=True),
        lambda: classifier([x], optimizer=dual(), n_classes=3),
        lambda: classifier([x], optimizer=dual(), _joint_weight=True),
        lambda: regressor([x], optimizer=dual(), label_dimension=2),
        lambda: regressor([x], optimizer=dual(), _joint_weights=True),
        lambda: regressor([]),
        lambda: type(regressor([x], optimizer=dual(), enable_centered_bias=True)).__name__,
        lambda: trained(lambda: regressor([x], optimizer=dual()), labels=((1.0,), (0.0,))),
        lambda: trained(
            lambda: classifier(
                [words], optimizer=sdca(example_id_column="id"), weight_column_name="w"
            ),
            {"words": sparse, "w": lambda: tf.constant([1.0, 2.0])},
        ),
        lambda: trained(
            lambda: classifier([layers.real_valued_column("linear/bias_column")], optimizer=dual()),
            {"linear/bias_column": lambda: tf.constant([[1.0], [1.0]])},
        ),
    )
    tf.logging.set_verbosity("INFO")


def parameters_as_in_scikit_learn(tf, stage):
    learn = tf.contrib.learn

    class Inner(learn.Estimator):
        def __init__(self, rate):
            self.rate, self._hidden, self.called = rate, 3, lambda: None

    class Outer(Inner):
        def __init__(self, inner, size):
            self.inner, self.size = inner, size

    one = Outer(Inner(0.5), 4)
    stage.attempts(
        lambda: one.get_params(deep=False)["size"],
        lambda: sorted(one.get_params()),
        lambda: one.set_params(size=5, inner__rate=0.25) is one,
        lambda: one.set_params(other=1),
        lambda: one.set_params(inner__other=1),
        lambda: one.inner.set_params(none__rate=1),
        lambda: one.inner.set_params(called=1),
    )
