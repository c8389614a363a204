"""Row T21: nodes run on the task that their device names; replica_device_setter puts variables on parameter servers."""

import numpy as np

import tfmini as tf
from tests.cluster.tasks import cluster_of


def test_nodes_run_on_assigned_tasks():
    with cluster_of({"ps": 2, "worker": 1}) as tasks, tf.Graph().as_default():
        with tf.device("/job:ps/task:0"):
            weights_1 = tf.Variable(tf.ones([3, 4]))
        with tf.device("/job:ps/task:1"):
            weights_2 = tf.Variable(tf.ones([4, 1]))
        with tf.device("/job:worker/task:0"):
            x = tf.placeholder(tf.float32, [None, 3])
            layer = tf.nn.relu(tf.matmul(x, weights_1), name="layer")
            logits = tf.matmul(layer, weights_2, name="logits")
        setter = tf.train.replica_device_setter(
            cluster={"ps": ["a", "b"], "worker": ["c"]}, worker_device="/job:worker/task:0"
        )
        with tf.device(setter):
            turns = [tf.Variable(float(i), name=f"turn{i}") for i in range(3)]
            total = tf.add_n(turns, name="total")
        metadata = tf.RunMetadata()
        options = tf.RunOptions(output_partition_graphs=True)
        with tf.Session(tasks["worker", 0].target) as session:
            session.run(tf.global_variables_initializer())
            fed = {x: np.ones([2, 3])}
            result = session.run([logits, total], fed, options=options, run_metadata=metadata)
        assert result[0].tolist() == [[12], [12]] and result[1] == 3
        devices = {n.name: n.device for g in metadata.partition_graphs for n in g.node}
        where = {name: device.split("/device")[0] for name, device in devices.items()}
        assert where["Variable"] == where["turn0"] == where["turn2"] == "/job:ps/replica:0/task:0"
        assert where["Variable_1"] == where["turn1"] == "/job:ps/replica:0/task:1"
        assert {where[n] for n in ("layer", "logits", "total")} == {"/job:worker/replica:0/task:0"}


def test_replica_device_setter_arguments():
    def devices(*args, **kwargs):
        with tf.Graph().as_default(), tf.device(tf.train.replica_device_setter(*args, **kwargs)):
            variables = [tf.Variable(0.0, name=f"v{i}") for i in range(3)]
            with tf.device("/cpu:1"):
                total = tf.add_n(variables)
        return [each.device for each in (*variables, total)]

    assert devices(ps_tasks=2, worker_device="/job:worker/task:7") == [
        "/job:ps/task:0",
        "/job:ps/task:1",
        "/job:ps/task:0",
        "/job:worker/task:7/device:CPU:1",
    ]
    cluster = tf.train.ClusterSpec({"store": ["a", "b"], "worker": ["c"]})
    stored = devices(cluster=cluster, ps_device="/job:store", ps_ops=["AddN"])
    assert stored == [*["/job:worker"] * 3, "/job:store/task:0/device:CPU:1"]
    assert devices(1, merge_devices=False)[-1] == "/device:CPU:1"
    with tf.Graph().as_default(), tf.device(tf.train.replica_device_setter(0)):
        assert tf.Variable(0.0).device == ""
