"""Row T3: device scopes on one and several CPUs, missing devices, the placement log."""

import pytest

import tfmini as tf
from tests.support import snippets
from tests.support.gpu.gpus import fake_gpus

LOG = """\
Device mapping:
{task}GPU:0 -> device: 0, name: Fake GPU, pci bus id: 0000:01:00.0, compute capability: 9.0
{task}GPU:1 -> device: 1, name: Fake GPU, pci bus id: 0000:02:00.0, compute capability: 9.0
c: (MatMul): {task}GPU:1
v: (VariableV2): {task}GPU:0
v/Assign: (Assign): {task}GPU:0
v/read: (Identity): {task}GPU:0
d: (Add): {task}GPU:0
a: (Const): {task}CPU:0
b: (Placeholder): {task}GPU:1
v/initial_value: (Const): {task}GPU:0
"""


@pytest.mark.parametrize("name", ["t3_devices", "t3_log_placement", "t3_several_devices"])
def test_output_matches_tensorflow(name):
    snippets.check(name, tf)


def test_placement_log_on_two_gpus(monkeypatch, capfd):
    """As TensorFlow's users show it; the rules are those of its registered GPU kernels."""
    monkeypatch.delenv("CUDA_VISIBLE_DEVICES", raising=False)
    with fake_gpus(devices=2), tf.Graph().as_default():
        with tf.device("/cpu:0"):
            a = tf.constant([1.0, 2.0, 3.0, 4.0, 5.0, 6.0], shape=[2, 3], name="a")
        with tf.device("/gpu:1"):
            b = tf.placeholder(tf.float32, [3, 2], name="b")
            c = tf.matmul(a, b, name="c")
        v = tf.Variable(1.0, name="v")
        d = tf.add(c, v, name="d")
        with tf.Session(config=tf.ConfigProto(log_device_placement=True)) as session:
            session.run(v.initializer)
            actual = session.run(d, {b: [[1.0, 2.0], [3.0, 4.0], [5.0, 6.0]]})
        with tf.device("/gpu:2"):
            tf.square(d, name="far")
        with tf.Session() as session, pytest.raises(tf.errors.InvalidArgumentError) as caught:
            session.run(d, {b: [[1.0, 2.0], [3.0, 4.0], [5.0, 6.0]]})
    assert actual.tolist() == [[23, 29], [50, 65]]
    task = "/job:localhost/replica:0/task:0/device:"
    assert capfd.readouterr().out == LOG.format(task=task)
    assert (
        f"was explicitly assigned to /device:GPU:2 but available devices are [ {task}CPU:0, {task}GPU:0, {task}GPU:1 ]"
        in caught.value.message
    )
    assert "CUDA is not enabled" not in caught.value.message


def test_server_task_devices():
    server = tf.train.Server.create_local_server()
    try:
        with tf.Graph().as_default():
            with tf.device("/job:local/task:0/cpu:0"):
                a = tf.constant(2.0) * 3.0
            with tf.device("/job:ps/task:0"):
                far = tf.square(a)
            with tf.Session(server.target) as session:
                with pytest.raises(tf.errors.InvalidArgumentError, match="/job:ps/task:0"):
                    session.run(far)
            soft = tf.ConfigProto(allow_soft_placement=True)
            with tf.device("/gpu:7"):
                b = tf.square(tf.constant(3.0))
            with tf.Session(server.target, config=soft, graph=b.graph) as session:
                with pytest.raises(tf.errors.InvalidArgumentError, match="/job:ps/task:0"):
                    session.run(b)  # soft placement does not apply to other tasks
        with tf.Graph().as_default():
            with tf.device("/gpu:7"):
                b = tf.square(tf.constant(3.0))
            with tf.Session(server.target, config=soft) as session:
                assert session.run(b) == 9.0
    finally:
        server._stop()
