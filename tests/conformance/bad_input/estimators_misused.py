"""Estimator mismatches at run time: exhausted or varying inputs, steps, folders, hooks, settings."""

import functools
import json
import os
import tempfile

import numpy as np


def _column(tf):
    return tf.feature_column.numeric_column("x")


def _linear(tf, **options):
    return tf.estimator.LinearClassifier([_column(tf)], **options)


def _feed(tf, features=None, labels=None, **options):
    given = {"x": np.ones([4, 1], "f")} if features is None else features
    wanted = np.array([0, 1, 0, 1]) if labels is None else labels
    return tf.estimator.inputs.numpy_input_fn(given, wanted, shuffle=False, **options)


@functools.lru_cache(None)
def _folder(tf):
    """The folder of a model trained for a step; created once, since that is slow."""
    model = _linear(tf)
    model.train(_feed(tf), steps=1)
    return model.model_dir


def _trained(tf, **options):
    return _linear(tf, model_dir=_folder(tf), **options)


def labels_out_of_range_in_an_evaluation(tf):
    model = _trained(tf)
    model.evaluate(_feed(tf, labels=np.array([0, 1, 2, 1])))


def words_out_of_the_vocabulary(tf):
    model = _linear(tf, label_vocabulary=["no", "yes"])
    model.train(_feed(tf, labels=np.array(["no", "yes", "maybe", "no"])), steps=1)


def an_input_of_a_dataset_of_three_parts(tf):
    parts = ({"x": np.ones([4, 1], "f")}, np.zeros([4]), np.zeros([4]))
    _linear(tf).train(lambda: tf.data.Dataset.from_tensors(parts), steps=1)


def a_checkpoint_of_another_model(tf):
    model = _trained(tf)
    age = tf.feature_column.numeric_column("age")
    other = tf.estimator.LinearClassifier([age], model_dir=model.model_dir)
    other.train(_feed(tf, features={"age": np.ones([4, 1], "f")}), steps=1)


def a_checkpoint_of_more_classes(tf):
    model = _trained(tf)
    _linear(tf, n_classes=4, model_dir=model.model_dir).evaluate(_feed(tf))


def a_receiver_of_another_name(tf):
    model = _trained(tf)

    def receive():
        given = tf.placeholder(tf.float32, [None, 1])
        return tf.estimator.export.ServingInputReceiver({"y": given}, {"y": given})

    model.export_savedmodel(tempfile.mkdtemp(), receive)


def a_loss_that_is_not_a_number(tf):
    def model(features, labels, mode):
        weight = tf.get_variable("w", [])
        loss = tf.log(-1.0 - tf.square(weight))
        step = tf.assign_add(tf.train.get_global_step(), 1)
        return tf.estimator.EstimatorSpec(mode, loss=loss, train_op=step)

    tf.estimator.Estimator(model).train(_feed(tf), steps=1)


def a_model_that_adds_no_step(tf):
    def model(features, labels, mode):
        return tf.estimator.EstimatorSpec(
            mode, loss=tf.reduce_sum(features["x"]), eval_metric_ops={"a": tf.constant(1.0)}
        )

    tf.estimator.Estimator(model).evaluate(_feed(tf), steps=1)


def _with_environment(tf, value, use=lambda tf: tf.estimator.RunConfig()):
    old = os.environ.get("TF_CONFIG")
    os.environ["TF_CONFIG"] = value if isinstance(value, str) else json.dumps(value)
    try:
        use(tf)
    finally:
        del os.environ["TF_CONFIG"]
        if old is not None:
            os.environ["TF_CONFIG"] = old


def a_cluster_without_a_chief(tf):
    cluster = {"worker": ["a:1"], "ps": ["b:1"]}
    _with_environment(tf, {"cluster": cluster, "task": {"type": "worker", "index": 0}})


def a_cluster_with_a_task_of_another_kind(tf):
    cluster = {"chief": ["a:1"], "worker": ["b:1"]}
    _with_environment(tf, {"cluster": cluster, "task": {"type": "ps", "index": 0}})


def a_cluster_with_too_large_an_index(tf):
    cluster = {"chief": ["a:1"], "worker": ["b:1"]}
    _with_environment(tf, {"cluster": cluster, "task": {"type": "worker", "index": 4}})


def a_cluster_with_an_index_below_zero(tf):
    cluster = {"chief": ["a:1"], "worker": ["b:1"]}
    _with_environment(tf, {"cluster": cluster, "task": {"type": "worker", "index": -1}})


def a_cluster_with_two_chiefs(tf):
    cluster = {"chief": ["a:1", "b:1"]}
    _with_environment(tf, {"cluster": cluster, "task": {"type": "chief", "index": 0}})


def _trained_and_evaluated(tf, max_steps=1):
    train = tf.estimator.TrainSpec(_feed(tf), max_steps)
    tf.estimator.train_and_evaluate(_linear(tf), train, tf.estimator.EvalSpec(_feed(tf)))


def a_cluster_with_a_task_that_has_no_part_in_training(tf):
    cluster = {"chief": ["a:1"], "helper": ["b:1"]}
    task = {"type": "helper", "index": 0}
    _with_environment(tf, {"cluster": cluster, "task": task}, _trained_and_evaluated)


def a_cluster_with_a_task_named_local(tf):
    cluster = {"chief": ["a:1"], "local": ["b:1"]}
    task = {"type": "local", "index": 0}
    _with_environment(tf, {"cluster": cluster, "task": task}, _trained_and_evaluated)


def a_cluster_with_a_second_evaluator(tf):
    task = {"type": "evaluator", "index": 1}
    _with_environment(tf, {"cluster": {"chief": ["a:1"]}, "task": task}, _trained_and_evaluated)


def a_cluster_whose_task_has_no_address(tf):
    cluster = {"chief": ["a:1"], "worker": ["b:1"]}
    task = {"type": "worker", "index": 0}
    config = {"cluster": cluster, "task": task, "session_master": ""}
    _with_environment(tf, config, _trained_and_evaluated)


def a_training_without_an_input(tf):
    model = _linear(tf)
    tf.estimator.train_and_evaluate(
        model, tf.estimator.TrainSpec(None), tf.estimator.EvalSpec(_feed(tf))
    )
