"""train_and_evaluate: evaluation times, as in TensorFlow 1.15.5 with the same clock."""

import time
from types import SimpleNamespace

import pytest

import tfmini as tf
from tfmini._src.train.monitored import second_or_step_timer


def model_fn(features, labels, mode):
    weight = tf.get_variable("weight", [], initializer=tf.zeros_initializer())
    loss = tf.reduce_mean(features) * weight
    train = tf.group(weight.assign_add(1.0), tf.train.get_global_step().assign_add(1))
    return tf.estimator.EstimatorSpec(mode, weight, loss, train)


def input_fn():
    return tf.data.Dataset.from_tensors(tf.ones([2])).repeat()


@pytest.fixture
def clock(monkeypatch):
    """The clock of timers, stopped until `clock.now` is set."""
    clock = SimpleNamespace(now=time.time())
    monkeypatch.setattr(second_or_step_timer, "time", SimpleNamespace(time=lambda: clock.now))
    return clock


@pytest.mark.parametrize(
    "throttle_secs, expected",
    [(0, [*range(1, 9)]), (4, [*range(1, 9)]), (10, [1, 4, 7, 8]), (1000, [1, 8])],
)
def test_evaluations_are_throttled(tmp_path, clock, throttle_secs, expected):
    seen = []

    class Tick(tf.train.SessionRunHook):
        def after_run(self, run_context, run_values):
            clock.now += 4

    class Mine(tf.estimator.Exporter):
        name = "mine"

        def export(self, estimator, export_path, checkpoint_path, eval_result, is_the_final_export):
            seen.append((int(eval_result["global_step"]), is_the_final_export))

    config = tf.estimator.RunConfig(str(tmp_path), save_checkpoints_steps=1)
    train = tf.estimator.TrainSpec(input_fn, max_steps=8, hooks=[Tick()])
    evaluate = tf.estimator.EvalSpec(input_fn, 1, exporters=Mine(), throttle_secs=throttle_secs)
    tf.estimator.train_and_evaluate(
        tf.estimator.Estimator(model_fn, config=config), train, evaluate
    )
    tf.summary.FileWriterCache.clear()
    assert seen == [(step, step == 8) for step in expected]
