"""replica_device_setter with every argument: devices equal TensorFlow 1.15.5's."""

import pytest

import tfmini as tf

CLUSTER = {"ps": ["a:1", "b:1"], "worker": ["c:1", "d:1"]}


def devices(setter):
    with tf.device(setter):
        variables = [tf.Variable(tf.zeros([2]), name=f"v{i}") for i in range(3)]
        total = tf.add_n(variables)
        with tf.device("/job:worker/task:1/cpu:0"):
            own = tf.Variable(1.0)
        with tf.device("/cpu:0"):
            part = tf.Variable(1.0)
    return [t.device for t in (*variables, total, own, part)]


def test_round_robin():
    assert devices(tf.train.replica_device_setter(cluster=CLUSTER)) == [
        *("/job:ps/task:0", "/job:ps/task:1", "/job:ps/task:0", "/job:worker"),
        *("/job:worker/task:1/device:CPU:0", "/job:ps/task:1/device:CPU:0"),
    ]


def test_other_arguments():
    setter = tf.train.replica_device_setter(
        ps_tasks=3,
        ps_device="/job:store/cpu:0",
        worker_device="/job:worker/task:7",
        ps_ops=["VariableV2", "AddN"],
        ps_strategy=lambda op: 2,
    )
    assert devices(setter)[:4] == ["/job:store/task:2/device:CPU:0"] * 4
    assert devices(tf.train.replica_device_setter(1, merge_devices=False))[-1] == "/device:CPU:0"
    assert tf.train.replica_device_setter() is None
    assert tf.train.replica_device_setter(cluster={"worker": ["a:1"]}) is None


def test_strategies():
    training = tf.contrib.training
    greedy = training.GreedyLoadBalancingStrategy(2, training.byte_size_load_fn)
    with tf.device(tf.train.replica_device_setter(2, ps_strategy=greedy)):
        sizes = [tf.Variable(tf.zeros([n])).device for n in (10, 3, 3, 3, 3)]
    assert sizes == [f"/job:ps/task:{n}" for n in (0, 1, 1, 1, 1)]
    chosen = training.RandomStrategy(5, seed=1)
    result = [chosen(tf.Variable(0.0, name=name).op) for name in ("a", "b", "c", "d")]
    assert result == [1, 1, 4, 0]  # md5 of "a_1", "b_1", ... modulo 5
    with pytest.raises(ValueError, match="must have a single output"):
        training.byte_size_load_fn(tf.no_op())
