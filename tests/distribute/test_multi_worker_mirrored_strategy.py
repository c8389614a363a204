"""MultiWorkerMirroredStrategy: a worker's devices, Estimators, and several workers, which are refused."""

import json

import pytest

import tfmini as tf
from tests.gpus import fake_gpus

experimental = tf.distribute.experimental


@pytest.fixture
def cluster(monkeypatch):
    """Sets TF_CONFIG: a cluster and the type of this task."""

    def put(jobs, task_type):
        task = {"type": task_type, "index": 0}
        monkeypatch.setenv("TF_CONFIG", json.dumps({"cluster": jobs, "task": task}))

    return put


def test_the_devices_of_a_worker(cluster):
    with fake_gpus(devices=2):
        for strategy, count in (
            (experimental.MultiWorkerMirroredStrategy(), 2),
            (tf.contrib.distribute.CollectiveAllReduceStrategy(num_gpus_per_worker=1), 1),
        ):
            devices = tuple(f"/replica:0/task:0/device:GPU:{number}" for number in range(count))
            assert strategy.extended.worker_devices == devices
    cluster({"worker": ["a:1"]}, "worker")
    ring = experimental.CollectiveCommunication.RING
    extended = experimental.MultiWorkerMirroredStrategy(ring).extended
    assert extended.worker_devices == ("/replica:0/task:0/device:CPU:0",)
    assert extended.experimental_between_graph and extended.should_checkpoint
    cluster({"worker": ["a:1", "b:1"], "evaluator": ["c:1"]}, "evaluator")
    experimental.MultiWorkerMirroredStrategy()


def test_an_estimator(tmp_path):
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


def test_several_workers_are_refused(cluster):
    workers = {"chief": ["a:1"], "worker": ["b:1"]}
    text = "has one worker, and TF_CONFIG names 2: train with horovod.tensorflow"
    strategy = experimental.MultiWorkerMirroredStrategy()
    with pytest.raises(NotImplementedError, match=text):
        strategy.configure(None, workers, "worker", 0)
    cluster(workers, "worker")
    with pytest.raises(NotImplementedError, match=text):
        experimental.MultiWorkerMirroredStrategy()
    with pytest.raises(ValueError, match="must be an instance of `tf.distribute.experimental.Coll"):
        experimental.MultiWorkerMirroredStrategy("RING")
