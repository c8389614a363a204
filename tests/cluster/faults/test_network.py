"""Interrupted and slow networks, and a killed chief: no step is applied twice, and none hangs."""

import json
import time
from contextlib import contextmanager

import pytest

import tfmini as tf
from tests.cluster.faults.proxy import Proxy
from tests.cluster.faults.test_faults import LOST, Run
from tests.cluster.tasks import Task, addresses, run_program
from tests.support import tiers
from tfmini._src.cluster.free_ports import free_ports


@contextmanager
def cluster_behind(delay=0.0):
    """A parameter server behind a proxy, and a worker: the proxy, and the worker's target."""
    cluster = addresses({"ps": 1, "worker": 1})
    (port,) = free_ports(1)
    proxy = Proxy(int(cluster["ps"][0].rpartition(":")[2]), port, delay)
    behind = {"TFMINI_BIND": f"127.0.0.1:{port}"}
    tasks = [Task(cluster, "ps", 0, variables=behind), Task(cluster, "worker", 0)]
    try:
        for task in tasks:
            task.wait()
        yield proxy, tasks[1].target
    finally:
        for task in tasks:
            task.kill()
        proxy.close()


def counter():
    with tf.device("/job:ps/task:0"):
        count = tf.Variable(0)
        add = tf.assign_add(count, 1)
    with tf.device("/job:worker/task:0"):
        return count, add + 0


@pytest.mark.parametrize("seconds", [1, tiers.full(60)])
def test_network_cut_heals(seconds):
    with cluster_behind() as (proxy, target):
        survives_a_cut(target, proxy.cut, proxy.heal, seconds)


def survives_a_cut(target, cut, heal, seconds):
    """Steps of a session while `cut()` and, later, `heal()` are called: each ends, none is applied twice."""
    count, add = counter()
    with tf.Session(target) as session:
        session.run(count.initializer)
        assert session.run(add) == 1
        cut()
        run = Run(session, add)
        late = tf.RunOptions(timeout_in_ms=300)
        with pytest.raises((tf.errors.DeadlineExceededError, *LOST)) as caught:
            session.run(add, options=late)
        assert isinstance(caught.value, LOST) or caught.value.message == "Deadline Exceeded"
        time.sleep(seconds)
        heal()
        run.join(60)
        assert not run.is_alive(), "the step hangs"
        assert run.error is None or isinstance(run.error, LOST), run.error
        tried = 3  # one has ended, one was late, and one either completed or was lost
        deadline = time.monotonic() + 60
        while True:  # until reconnected
            try:
                tried += 1
                result = session.run(add)
                break
            except LOST:
                assert time.monotonic() < deadline
                time.sleep(0.1)
        assert 2 <= result <= tried
        assert session.run(add) == result + 1


def test_slow_peer():
    with cluster_behind(delay=0.02) as (_, target):
        count, add = counter()
        with tf.Session(target) as session:
            session.run(count.initializer)
            assert [session.run(add) for _ in range(3)] == [1, 2, 3]


CHIEF = """
import json, os, signal, sys
import tfmini as tf
from tests.support import tiers
target, folder, last = sys.argv[1], sys.argv[3], int(sys.argv[4])
with tf.device(tf.train.replica_device_setter(cluster=json.loads(sys.argv[2]))):
    step = tf.train.get_or_create_global_step()
    weight = tf.get_variable("weight", initializer=0.0)
    with tf.control_dependencies([weight.assign_add(1.0)]):
        train = step.assign_add(1)
with tf.train.MonitoredTrainingSession(
    target, checkpoint_dir=folder, save_checkpoint_steps=2, save_summaries_steps=None, log_step_count_steps=None
) as session:
    print("from", session.run(step), flush=True)
    for _ in range(5):
        session.run(train)
    if last:
        print("found", *session.run([weight, step]), flush=True)
    else:
        os._exit(0)  # without a word, as if killed
"""


def test_training_resumes_after_killed_chief(tmp_path):
    cluster = addresses({"ps": 1, "worker": 1})
    tasks = [Task(cluster, "ps", 0), Task(cluster, "worker", 0)]
    try:
        for task in tasks:
            task.wait()
        arguments = (tasks[1].target, json.dumps(cluster), tmp_path)
        first = run_program(CHIEF, *arguments, 0, timeout=120)
        assert first.split() == ["from", "0"]
        start, result = run_program(CHIEF, *arguments, 1, timeout=120).splitlines()
        begun = int(start.split()[1])
        assert 2 <= begun <= 5  # whatever is saved, or still on the parameter server
        assert result == f"found {begun + 5}.0 {begun + 5}"
    finally:
        for task in tasks:
            task.kill()
