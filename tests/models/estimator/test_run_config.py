"""The cluster task described by TF_CONFIG under a distribution strategy; expected values are TensorFlow 1.15.5's."""

import json

import tfmini as tf


def test_first_worker_is_chief_under_strategy(monkeypatch):
    cluster = {"worker": ["a:1", "a:2"], "ps": ["b:1"]}
    strategy = tf.distribute.OneDeviceStrategy("/cpu:0")
    for index, is_chief in ((0, True), (1, False)):
        task = {"type": "worker", "index": index}
        monkeypatch.setenv("TF_CONFIG", json.dumps({"cluster": cluster, "task": task}))
        config = tf.estimator.RunConfig(train_distribute=strategy)
        assert config.is_chief is is_chief and config.global_id_in_cluster == index
        assert config.num_worker_replicas == 2 and config.num_ps_replicas == 1
