"""Monitors of `tf.contrib.learn`: called as in TensorFlow 1.15.5, and their errors."""

import numpy as np
import pytest

import tfmini as tf

monitors = tf.contrib.learn.monitors

X = np.random.RandomState(0).randn(40, 4).astype("f")

Y = (X[:, 0] + X[:, 1] > 0).astype("int32")


def classifier(directory, **config):
    columns = tf.contrib.learn.infer_real_valued_columns_from_input(X)
    config = tf.contrib.learn.RunConfig(tf_random_seed=3, **config)
    return tf.contrib.learn.LinearClassifier(columns, model_dir=str(directory), config=config)


def test_every_n(tmp_path):
    seen = []

    class Recorded(monitors.EveryN):
        def every_n_step_begin(self, step):
            seen.append(("begin", int(step)))
            return ["global_step"]

        def every_n_step_end(self, step, outputs):
            seen.append(("end", int(step), int(outputs["global_step"])))
            return False

        def every_n_post_step(self, step, session):
            seen.append(("post", int(step)))

    watching = [Recorded(3, 2), monitors.StopAtStep(num_steps=8)]
    classifier(tmp_path).fit(X, Y, steps=9, batch_size=40, monitors=watching)
    assert [row for row in seen if row[0] == "post"] == [("post", n) for n in (1, 2, 5, 8)]
    assert [row[:2] for row in seen if row[0] == "end"] == [("end", n) for n in (1, 2, 5, 8)]
    assert tf.train.load_variable(str(tmp_path), "global_step") == 8


def test_early_stopping(tmp_path):
    monitor = monitors.ValidationMonitor(
        X,
        Y,
        batch_size=40,
        eval_steps=1,
        every_n_steps=1,
        early_stopping_rounds=2,
        early_stopping_metric_minimize=False,
        check_interval_secs=None,
    )
    trained = classifier(tmp_path, save_checkpoints_steps=1, save_checkpoints_secs=None)
    trained.fit(X, Y, steps=50, batch_size=40, monitors=[monitor])
    assert monitor.early_stopped  # the loss decreases, although higher counts as better
    assert monitor.best_metrics["loss"] == monitor.best_value
    assert tf.train.load_variable(str(tmp_path), "global_step") == monitor.best_step + 2


def test_negative_step_is_rejected():
    monitor = monitors.BaseMonitor()
    monitor.begin()
    with pytest.raises(ValueError, match=r"Invalid step -1\."):
        monitor.step_begin(-1)


def test_graph_dump(tmp_path):
    dump = monitors.GraphDump(ignore_ops=["NoOp"])
    with tf.Graph().as_default():
        a = tf.constant([1.0], name="a")
        tf.no_op(name="none")
        dump.begin()
        assert dump.step_begin(3) == [a]
        dump.step_end(3, {a: np.ones(1), "named": np.ones(2), "count": 3})
    other = monitors.GraphDump()
    assert "Const" in other.IGNORE_OPS
    with pytest.raises(ValueError, match="missing at step"):
        dump.compare(other, 3)
    other.data[3] = {"named": np.zeros(2), "count": 3}
    matched, different = dump.compare(other, 3)
    assert matched == ["count"]
    np.testing.assert_array_equal(different["named"], [1, 1])
