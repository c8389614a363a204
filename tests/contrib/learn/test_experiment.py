"""tf.contrib.learn.Experiment."""

import time

import pytest

import tfmini as tf
from tests.contrib.learn.conftest import input_fn

learn, layers = tf.contrib.learn, tf.contrib.layers


def test_core_estimator(tmp_path):
    columns = [tf.feature_column.numeric_column("x")]
    estimator = tf.estimator.LinearClassifier(columns, str(tmp_path))
    experiment = learn.Experiment(
        estimator, input_fn, input_fn, train_steps=6, eval_steps=1, train_steps_per_iteration=2
    )
    results, exported = experiment.continuous_train_and_eval()
    assert (results["global_step"], exported) == (6, [])
    experiment.continuous_eval(delay_secs=0, throttle_delay_secs=0, name="more")
    with pytest.raises(ValueError, match="`eval_metrics` must be `None`"):
        learn.Experiment(estimator, input_fn, input_fn, eval_metrics={})
    tf.summary.FileWriterCache.clear()


@pytest.mark.parametrize(
    ("inputs", "task", "waited"),
    [(None, 0, []), (None, 2, [10]), (None, 20, [60]), (0, 2, []), (3, 2, [3])],
)
def test_staggered_worker_start(model, monkeypatch, inputs, task, waited):
    """Five seconds apart, with a maximum of a minute."""
    slept = []
    monkeypatch.setattr(time, "sleep", slept.append)
    monkeypatch.setattr(type(model.config), "task_id", task)
    experiment = learn.Experiment(model, input_fn, input_fn, train_steps=1)
    experiment.train(delay_secs=inputs)
    assert slept == waited and model.get_variable_value("global_step") == 1


def test_test_method_runs_one_step(tmp_path):
    def model(features, targets, mode):
        output = tf.layers.dense(features, 1)
        loss = tf.losses.mean_squared_error(targets, output)
        step = tf.train.GradientDescentOptimizer(0.1).minimize(loss, tf.train.get_global_step())
        return tf.contrib.learn.ModelFnOps(mode, output, loss, step)

    def data():
        return tf.ones([4, 2]), tf.zeros([4, 1])

    estimator = tf.contrib.learn.Estimator(model, str(tmp_path))
    experiment = tf.contrib.learn.Experiment(estimator, data, data, train_steps=5, eval_steps=2)
    for step in (1, 2):
        results = experiment.test()
        assert sorted(results) == ["global_step", "loss"] and results["global_step"] == step
    assert (experiment.train_steps, experiment.eval_steps) == (5, 2)
