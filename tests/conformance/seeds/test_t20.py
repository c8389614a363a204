"""Row T20: ClusterSpec, `tf.train.Server`, and sessions by its target, of two tasks in two processes."""

import tfmini as tf
from tests.cluster.tasks import cluster_of


def test_two_tasks():
    cluster = tf.train.ClusterSpec({"local": ["localhost:2222", "localhost:2223"]})
    assert cluster.as_dict() == {"local": ["localhost:2222", "localhost:2223"]}
    with cluster_of({"local": 2}) as tasks:
        target = tasks["local", 0].target
        with tf.Graph().as_default():
            hello = tf.constant("Hello, distributed TensorFlow!")
            with tf.device("/job:local/task:1"):
                counter = tf.Variable(0, name="counter")
                add = counter.assign_add(1)
            with tf.Session(target) as session:
                assert session.run(hello) == b"Hello, distributed TensorFlow!"
                session.run(counter.initializer)
                session.run(add)
            with tf.Session(tasks["local", 1].target) as session:  # task 1's value
                assert session.run(add) == 2


def test_local_server():
    server = tf.train.Server.create_local_server()
    try:
        with tf.Graph().as_default(), tf.Session(server.target) as session:
            assert session.run(tf.constant("Hello")) == b"Hello"
            assert server.target.startswith("grpc://localhost:")
    finally:
        server._stop()
