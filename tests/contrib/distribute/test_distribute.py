"""`tf.contrib.distribute`: per-replica batches, older names, Estimator configs, servers."""

import json

import pytest

import tfmini as tf
from tests.support.gpu.gpus import fake_gpus
from tfmini._src.cluster.free_ports import free_addresses

contrib = tf.contrib.distribute
TWO = tf.ConfigProto(device_count={"CPU": 2})


@pytest.mark.parametrize(
    "make, batches",
    [
        (lambda: contrib.MirroredStrategy(["/cpu:0", "/cpu:1"]), [[0, 1, 2, 3], [4, 5, 6, 7]]),
        (lambda: tf.distribute.MirroredStrategy(["/cpu:0", "/cpu:1"]), [[0, 1], [2, 3]]),
        (contrib.ParameterServerStrategy, [[0, 1, 2, 3]]),
    ],
    ids=["contrib", "tf.distribute", "parameter server"],
)
def test_batches_are_per_replica(make, batches):
    with tf.Graph().as_default(), tf.Session(config=TWO) as session:
        strategy = make()
        iterator = strategy.make_dataset_iterator(tf.data.Dataset.range(16).batch(4))
        result = strategy.unwrap(iterator.get_next())
        session.run(iterator.initialize())
        assert [each.tolist() for each in session.run(list(result))] == batches


def test_gpu_counts():
    with fake_gpus(devices=2):
        for strategy in (
            contrib.MirroredStrategy(num_gpus=2),
            contrib.MirroredStrategy(num_gpus_per_worker=2),
            contrib.ParameterServerStrategy(num_gpus_per_worker=2),
        ):
            assert [each[-5:] for each in strategy.extended.worker_devices] == ["GPU:0", "GPU:1"]
    with pytest.raises(ValueError, match="cannot specify both `num_gpus` and `num_gpus_per_w"):
        contrib.MirroredStrategy(num_gpus=1, num_gpus_per_worker=1)
    with pytest.raises(ValueError, match="only specify one of `devices` and `num_gpus_per_wor"):
        contrib.MirroredStrategy(["/cpu:0"], num_gpus=1)


def test_cluster_from_tf_config(monkeypatch):
    config = {"cluster": {"worker": ["a:1", "b:1"], "ps": ["c:1"]}}
    config["task"] = {"type": "worker", "index": 1}
    monkeypatch.setenv("TF_CONFIG", json.dumps(config))
    extended = contrib.ParameterServerStrategy(num_gpus_per_worker=2).extended
    assert extended.worker_devices == tuple(
        f"/job:worker/replica:0/task:1/device:GPU:{index}" for index in range(2)
    )
    assert extended.parameter_devices == ("/job:ps/task:0",)


def test_old_names():
    assert contrib.DistributionStrategy is tf.distribute.Strategy
    assert contrib.get_distribution_strategy is tf.distribute.get_strategy
    assert contrib.has_distribution_strategy is tf.distribute.has_strategy
    with tf.Graph().as_default():
        strategy = contrib.OneDeviceStrategy("/cpu:0")
        assert contrib.get_cross_replica_context() is None
        with strategy.scope():
            assert contrib.get_cross_replica_context() is strategy
            v = tf.Variable(1.0)
        with contrib.UpdateContext("/cpu:0"):
            assert v.device


def test_strategies_of_run_config():
    train, evaluate = (contrib.OneDeviceStrategy("/cpu:0") for _ in range(2))
    given = contrib.DistributeConfig(train, evaluate)
    config = tf.estimator.RunConfig(experimental_distribute=given)
    assert (config.train_distribute, config.eval_distribute) == (train, evaluate)
    config = tf.estimator.RunConfig(
        eval_distribute=evaluate, experimental_distribute=contrib.DistributeConfig(train)
    )
    assert (config.train_distribute, config.eval_distribute) == (train, evaluate)
    with pytest.raises(ValueError, match="Either `train_distribute` or`experimental_distribute"):
        tf.estimator.RunConfig(train_distribute=train, experimental_distribute=given)
    remote = contrib.DistributeConfig(remote_cluster={"worker": ["a:1"]})
    with pytest.raises(NotImplementedError, match="remote_cluster: run one script per task"):
        tf.estimator.RunConfig(experimental_distribute=remote)


def test_standard_server(monkeypatch):
    cluster = free_addresses({"worker": 1})
    task = {"type": "worker", "index": 0}
    monkeypatch.setenv("TF_CONFIG", json.dumps({"cluster": cluster, "task": task}))
    server = contrib.run_standard_tensorflow_server(tf.ConfigProto(device_count={"CPU": 2}))
    with tf.Graph().as_default(), tf.Session(server.target) as session:
        with tf.device("/job:worker/task:0/cpu:1"):
            assert session.run(tf.constant(3) + 4) == 7
    server._stop()
