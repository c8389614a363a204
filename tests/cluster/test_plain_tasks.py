"""Tasks with only TensorFlow's methods, like its servers: each tensor is requested separately."""

import threading

import numpy as np
import pytest

import tfmini as tf
from tests.cluster.tasks import addresses
from tests.support.waiting import until
from tfmini._src.cluster import server as server_module

PS = "/job:ps/task:0/device:CPU:0"
WORKER = "/job:worker/task:0/device:CPU:0"


@pytest.fixture
def called(monkeypatch):
    """Call counts by method, with tfmini's own methods unimplemented."""
    results = {}

    def theirs(methods):
        return {
            name: counted(name, method)
            for name, method in methods.items()
            if name.startswith("/tensorflow.")
        }

    def counted(name, method):
        short = name.rpartition("/")[2]

        def call(*arguments):
            results[short] = results.get(short, 0) + 1
            return method(*arguments)

        return call

    class Plain(server_module.Service):
        def __init__(self, address, methods, later, direct_handlers, threads):
            super().__init__(address, theirs(methods), theirs(later), {}, threads)

    monkeypatch.setattr(server_module, "Service", Plain)
    return results


@pytest.fixture
def servers(called):
    """The servers of a cluster of two, both in this process."""
    cluster = addresses({"ps": 1, "worker": 1})
    result = [tf.train.Server(cluster, job, 0) for job in cluster]
    yield result
    for server in result:
        server._stop()


def test_tensors_of_all_dtypes(servers, called):
    with tf.device(PS):
        fed = tf.placeholder(tf.float32, [None])
        sent = {
            "numbers": fed * 2.0,
            "none": fed[:0],
            "texts": tf.as_string(tf.cast(fed, tf.int32)),
            "flags": fed > 1.5,
            "complex": tf.complex(fed, -fed),
            "half": tf.cast(fed, tf.float16),
            "large": tf.fill([1 << 18], fed[0]),
        }
    with tf.device(WORKER):
        fetched = {name: tf.stack([tensor, tensor]) for name, tensor in sent.items()}
        back = tf.reduce_sum(sent["numbers"])
    with tf.device(PS):
        fetched["back"] = back + 1.0
    expected = {
        "numbers": np.array([2, 4], np.float32),
        "none": np.zeros(0, np.float32),
        "texts": np.array([b"1", b"2"], object),
        "flags": np.array([False, True]),
        "complex": np.array([1 - 1j, 2 - 2j], np.complex64),
        "half": np.array([1, 2], np.float16),
        "large": np.ones(1 << 18, np.float32),
    }
    with tf.Session(servers[1].target) as session:
        for _ in range(2):
            values = session.run(fetched, {fed: [1.0, 2.0]})
            assert values.pop("back") == 7.0
            for name, value in values.items():
                assert value.dtype == expected[name].dtype, name
                np.testing.assert_array_equal(value, [expected[name]] * 2, name)
    until(lambda: not any(server._worker._rendezvouses._rendezvous_by_step for server in servers))
    assert called["RecvTensor"] == 16  # eight tensors, twice
    assert called["CleanupGraph"] >= 1


def test_untaken_branch_sends_dead_tensors(servers):
    with tf.device(PS):
        fed = tf.placeholder(tf.float32, [])
        to_false, to_true = tf.raw_ops.Switch(data=fed, pred=fed > 0.0)
        to_false, to_true = to_false - 1.0, to_true + 1.0
    with tf.device(WORKER):
        value, index = tf.raw_ops.Merge(inputs=[tf.negative(to_false), tf.square(to_true)])
    with tf.Session(servers[1].target) as session:
        assert session.run([value, index], {fed: 3.0}) == [16.0, 1]
        assert session.run([value, index], {fed: -3.0}) == [4.0, 0]
        with pytest.raises(
            tf.errors.InvalidArgumentError, match=r"Retval\[0\] does not have value"
        ):
            session.run(tf.square(to_true), {fed: -3.0})


def test_failure_names_task(servers):
    with tf.device(PS):
        fed = tf.placeholder(tf.int32, [])
        result = tf.gather([1, 2], fed, name="taken")
    with tf.device(WORKER):
        doubled = result * 2
    with tf.Session(servers[1].target) as session:
        text = (
            r"^From /job:ps/replica:0/task:0:\nindices = 5 is not in \[0, 2\)\n\t \[\[node taken "
        )
        with pytest.raises(tf.errors.InvalidArgumentError, match=text):
            session.run(doubled, {fed: 5})
        assert session.run(doubled, {fed: 1}) == 4


@pytest.mark.parametrize("asked_before", [False, True])
def test_blocked_receive_ends_with_step(servers, called, asked_before):
    with tf.device(PS):
        queue = tf.FIFOQueue(4, [tf.float32, tf.float32], shapes=[[], []])
        taken = queue.dequeue()
        filled = queue.enqueue([1.0, 2.0])
    with tf.device(WORKER):
        total = taken[0] + 10.0 * taken[1]
    with tf.Session(servers[1].target) as session:
        if asked_before:
            session.run(filled)
            assert session.run(total) == 21.0
        began = called.get("RecvTensor", 0)
        errors = []

        def run():
            with pytest.raises(tf.errors.CancelledError, match="cancelled|closed") as caught:
                session.run(total)
            errors.append(caught.value)

        thread = threading.Thread(target=run)
        thread.start()
        until(lambda: called.get("RecvTensor", 0) == began + 2)
        session.close()
        thread.join(60)
        assert len(errors) == 1
    with tf.Session(servers[1].target) as session:  # nothing was consumed
        session.run(filled)
        assert session.run(total) == 21.0
