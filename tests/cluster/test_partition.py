"""Graphs partitioned over three processes: values, cross-task branches and errors, missing tasks."""

import numpy as np
import pytest

import tfmini as tf
from tests.cluster.tasks import cluster_of


@pytest.fixture(scope="module")
def tasks():
    with cluster_of({"ps": 2, "worker": 1}) as running:
        yield running


@pytest.fixture
def target(tasks):
    target = tasks["worker", 0].target
    tf.Session.reset(target)
    return target


def test_session_lists_devices_of_all_tasks(target):
    with tf.Session(target) as session:
        names = [device.name for device in session.list_devices()]
        incarnations = {device.incarnation for device in session.list_devices()}
    tasks = ("worker/replica:0/task:0", "ps/replica:0/task:0", "ps/replica:0/task:1")
    assert names == [f"/job:{task}/device:CPU:0" for task in tasks]
    assert len(incarnations) == 3
    config = tf.ConfigProto(device_filters=["/job:ps/task:0", "/job:worker/task:0"])
    with tf.Session(target, config=config) as session:
        assert len(session.list_devices()) == 2


def model():
    with tf.device("/job:ps/task:0"):
        weights = tf.Variable(tf.zeros([3, 2]), name="weights")
    with tf.device("/job:ps/task:1"):
        bias = tf.get_variable("bias", [2], initializer=tf.zeros_initializer(), use_resource=True)
    with tf.device("/job:worker/task:0"):
        x = tf.placeholder(tf.float32, [None, 3])
        loss = tf.reduce_mean(tf.square(tf.matmul(x, weights) + bias - 1.0))
        train = tf.train.AdamOptimizer(0.1).minimize(loss)
    return x, loss, train, weights, bias


def test_distributed_training_matches_local(target):
    x, loss, train, weights, bias = model()
    losses = {}
    for where in ("", target):
        with tf.Session(where, config=tf.ConfigProto(allow_soft_placement=True)) as session:
            if not where:
                continue
            session.run(tf.global_variables_initializer())
            losses[where] = [session.run([loss, train], {x: np.eye(3)})[0] for _ in range(30)]
            metadata = tf.RunMetadata()
            options = tf.RunOptions(output_partition_graphs=True)
            session.run(train, {x: np.eye(3)}, options=options, run_metadata=metadata)
            devices = {n.device for g in metadata.partition_graphs for n in g.node}
            assert len(metadata.partition_graphs) == len(devices) == 3
    assert losses[target][0] == 1.0 and losses[target][-1] < 0.05


def test_control_edges_across_tasks(target):
    with tf.device("/job:ps/task:0"):
        count = tf.Variable(0)
        add = tf.assign_add(count, 1)
    with tf.device("/job:ps/task:1"), tf.control_dependencies([add]):
        after = tf.constant(7) + 0
    with tf.Session(target) as session:
        session.run(count.initializer)
        assert [session.run(after) for _ in range(3)] == [7] * 3
        assert session.run(count) == 3


@pytest.mark.parametrize("updater", ["ps", "worker"])
def test_variable_read_after_remote_control_inputs(target, updater):
    """As in an optimizer that clips parameter servers' variables after their update."""
    with tf.device("/job:ps/task:0"):
        weights = tf.Variable([2.0, 3.0])
    with tf.device("/job:ps/task:1" if updater == "worker" else "/job:ps/task:0"):
        also = tf.Variable(1.0)
    with tf.device("/job:worker/task:0"):
        early = weights.read_value()
        with tf.control_dependencies([early]):
            update = weights.assign_add([tf.stop_gradient(1.0), 1.0])
        with tf.control_dependencies([update, also.assign(4.0)]):
            late, other = weights.read_value(), also.read_value()
        with tf.control_dependencies([late]):
            last = weights.assign_sub(late - 1.0)
    with tf.Session(target) as session:
        session.run(tf.global_variables_initializer())
        for value in ([2.0, 3.0], [1.0, 1.0]):
            result = session.run([early, late, other, last])
            assert result[0].tolist() == value and result[1].tolist() == [v + 1 for v in value]
            assert result[2] == 4.0 and result[3].tolist() == [1.0, 1.0]


@pytest.mark.parametrize("side", [True, False])
def test_cond_across_tasks(target, side):
    with tf.device("/job:ps/task:0"):
        kept = tf.Variable([1.0, 2.0])
    with tf.device("/job:ps/task:1"):
        other = tf.Variable(5.0)
    with tf.device("/job:worker/task:0"):
        take = tf.placeholder(tf.bool, [])
        result = tf.cond(take, lambda: kept * 2.0, lambda: kept + other)
        count = tf.cond(take, lambda: tf.assign_add(other, 1.0) + 0.0, lambda: tf.constant(0.0))
    with tf.Session(target) as session:
        session.run(tf.global_variables_initializer())
        assert session.run(result, {take: side}).tolist() == ([2, 4] if side else [6, 7])
        assert session.run(count, {take: side}) == (6.0 if side else 0.0)
        assert session.run(other) == (6.0 if side else 5.0)


def test_error_names_remote_task(target):
    with tf.device("/job:ps/task:1"):
        bad = tf.check_numerics(tf.constant(1.0) / 0.0, "bad", name="checked")
    with tf.device("/job:worker/task:0"):
        after = bad + 1.0
    with tf.Session(target) as session:
        with pytest.raises(tf.errors.InvalidArgumentError) as caught:
            session.run(after)
        assert caught.value.op is bad.op
        assert "bad : Tensor had Inf values\n\t [[node checked (defined" in caught.value.message
        assert "From /job:ps/replica:0/task:1:\n" in caught.value.message
        with pytest.raises(
            tf.errors.FailedPreconditionError,
            match=r"From /job:ps/replica:0/task:0:\nAttempting to use uninitialized value unset",
        ):
            with tf.device("/job:ps/task:0"):
                unset = tf.Variable(1.0, name="unset")
            session.run(unset)


def test_queue_shared_between_sessions(target):
    with tf.device("/job:ps/task:0"):
        queue = tf.FIFOQueue(10, [tf.float32], shapes=[[]], shared_name="between")
    put, take, two = queue.enqueue(3.0), queue.dequeue(), queue.dequeue_many(2)
    limit = tf.RunOptions(timeout_in_ms=60_000)
    with tf.Session(target) as one, tf.Session(target) as other:
        one.run(put)
        assert other.run(take) == 3.0
        with pytest.raises(tf.errors.DeadlineExceededError, match="^Deadline Exceeded$"):
            other.run(two, options=tf.RunOptions(timeout_in_ms=200))
        one.run(put)
        # Abandoned steps precede this one until their task has been notified; they consume nothing.
        assert other.run(take, options=limit) == 3.0


def test_missing_device(target):
    with tf.device("/job:ps/task:5"):
        one = tf.constant(1.0)
    with tf.Session(target) as session:
        with pytest.raises(tf.errors.InvalidArgumentError, match="/job:ps/task:5"):
            session.run(one)
