"""MultiWorkerMirroredStrategy: a worker's devices; Estimators and Keras models on one worker and on two."""

import json
import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest

import tfmini as tf
from tests.cluster.tasks import ROOT, addresses, environment
from tests.support.gpu.gpus import fake_gpus

TRAINER = Path(ROOT, "tests/distribute/worker_trainer.py")
X = np.random.RandomState(0).randn(64, 3).astype("f")
Y = (X @ np.array([[1.0], [2.0], [3.0]]) + 0.5).astype("f")

experimental = tf.distribute.experimental


@pytest.fixture
def cluster(monkeypatch):
    """Sets TF_CONFIG: a cluster and this task's type."""

    def put(jobs, task_type):
        task = {"type": task_type, "index": 0}
        monkeypatch.setenv("TF_CONFIG", json.dumps({"cluster": jobs, "task": task}))

    return put


def test_worker_devices(cluster):
    with fake_gpus(devices=2):
        for strategy, count in (
            (experimental.MultiWorkerMirroredStrategy(), 2),
            (tf.contrib.distribute.CollectiveAllReduceStrategy(num_gpus_per_worker=1), 1),
        ):
            devices = tuple(f"/replica:0/task:0/device:GPU:{i}" for i in range(count))
            assert strategy.extended.worker_devices == devices
    cluster({"worker": ["a:1"]}, "worker")
    ring = experimental.CollectiveCommunication.RING
    extended = experimental.MultiWorkerMirroredStrategy(ring).extended
    assert extended.worker_devices == ("/replica:0/task:0/device:CPU:0",)
    assert extended.experimental_between_graph and extended.should_checkpoint
    for task_type, saves in (("chief", True), ("worker", False)):
        cluster({"chief": ["a:1"], "worker": ["b:1"]}, task_type)
        extended = experimental.MultiWorkerMirroredStrategy().extended
        assert extended.should_checkpoint == extended.should_save_summary == saves
    cluster({"worker": ["a:1", "b:1"], "evaluator": ["c:1"]}, "evaluator")
    experimental.MultiWorkerMirroredStrategy()


def test_estimator_on_one_worker(tmp_path):
    def model(features, labels, mode):
        v = tf.get_variable("v", [], initializer=tf.zeros_initializer())
        loss = tf.square(v - tf.reduce_mean(features))
        train = tf.train.GradientDescentOptimizer(0.5).minimize(loss, tf.train.get_global_step())
        return tf.estimator.EstimatorSpec(mode, loss=loss, train_op=train)

    strategy = experimental.MultiWorkerMirroredStrategy()
    config = tf.estimator.RunConfig(train_distribute=strategy)
    estimator = tf.estimator.Estimator(model, str(tmp_path), config)
    estimator.train(lambda: tf.data.Dataset.from_tensors(3.0).repeat(2))
    assert float(estimator.get_variable_value("v")) == 3.0


def test_invalid_communication():
    with pytest.raises(ValueError, match="must be an instance of `tf.distribute.experimental.Coll"):
        experimental.MultiWorkerMirroredStrategy("RING")


def run_workers(model, folder, jobs, python=None):
    """The output of two workers, each in a separate process."""
    cluster = addresses(jobs)
    workers = []
    for job, count in jobs.items():
        for index in range(count):
            task = {"type": job, "index": index}
            environ = {**environment(), "TF_CONFIG": json.dumps({"cluster": cluster, "task": task})}
            if python:
                environ.pop("PYTHONPATH")
            kind = "tensorflow" if python else "tfmini"
            script = [str(python or sys.executable), "-W", "ignore", str(TRAINER), kind, model]
            pipe = subprocess.PIPE
            workers.append(
                subprocess.Popen([*script, str(folder)], stdout=pipe, env=environ, text=True)
            )
    try:
        printed = [worker.communicate(timeout=100)[0] for worker in workers]
    finally:
        for worker in workers:
            worker.kill()
            worker.wait()
    return [json.loads(text.splitlines()[-1]) for text in printed]


@pytest.mark.parametrize(
    "jobs", [{"worker": 2}, {"chief": 1, "worker": 1}], ids=["worker 0 is chief", "chief"]
)
def test_estimator_on_two_workers(jobs, tmp_path):
    result = run_workers("estimator", tmp_path, jobs)
    assert [one["is_chief"] for one in result] == [True, False]
    assert [one["replicas"] for one in result] == [2, 2]
    read = tf.train.load_checkpoint(str(tmp_path)).get_tensor
    assert read("global_step") == 40
    np.testing.assert_allclose(read("d/kernel").ravel(), [1.0, 2.0, 3.0], atol=0.05)
    np.testing.assert_allclose(read("d/bias"), [0.5], atol=0.05)


def steps_of_momentum(batches, rate=0.1, momentum=0.5):
    """Weights after momentum steps over batches of the rows, and the loss before each."""
    kernel, bias, speed = np.ones((3, 1)), np.zeros(1), [0.0, 0.0]
    losses = []
    for start, size in batches:
        x, y = X[start : start + size], Y[start : start + size]
        error = x @ kernel + bias - y
        losses.append(np.mean(error**2))
        gradients = 2 * x.T @ error / size, 2 * error.mean(0)
        speed = [momentum * v - rate * g for v, g in zip(speed, gradients)]
        kernel, bias = kernel + speed[0], bias + speed[1]
    return losses, kernel, bias


def test_keras_on_two_workers(tmp_path):
    result = run_workers("keras", tmp_path, {"worker": 2})
    assert result[0] == result[1] and result[0]["replicas"] == 2
    first = [(start, 16) for start in range(0, 64, 16)]
    losses, kernel, bias = steps_of_momentum(first + [(n, 8) for n in range(0, 64, 8)] * 2)
    history = result[0]["history"]
    np.testing.assert_allclose(history[0], [np.mean(losses[:4])], rtol=1e-4)
    np.testing.assert_allclose(history[2], np.reshape(losses[4:], (2, 8)).mean(1), rtol=1e-3)
    np.testing.assert_allclose(result[0]["weights"][0], kernel, rtol=1e-4)
    np.testing.assert_allclose(result[0]["weights"][1], bias, rtol=1e-4)


def test_one_worker_saves_averaged_statistics(tmp_path):
    actual = run_workers("normalized", tmp_path, {"worker": 2})[0]
    expected = np.zeros(3)
    for start in range(0, 64, 16):
        expected = expected / 2 + X[start : start + 8].mean(0) / 2
    for means in actual["means"]:
        np.testing.assert_allclose(means, expected, rtol=1e-4, atol=1e-6)


@pytest.mark.reference
def test_keras_matches_tensorflow(reference, tmp_path):
    expected = run_workers("keras", tmp_path, {"worker": 2}, reference)[0]
    actual = run_workers("keras", tmp_path, {"worker": 2})[0]
    for key, values in expected.items():
        for one, other in zip(tf.nest.flatten(actual[key]), tf.nest.flatten(values), strict=True):
            np.testing.assert_allclose(one, other, rtol=2e-3, atol=1e-5, err_msg=key)
