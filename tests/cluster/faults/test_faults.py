"""Clusters that lose a part: training continues or ends with a named error, in bounded time, and servers keep serving.

`ci/soak faults` runs the long form: TFMINI_FAULTS multiplies the number of attempts.
"""

import json
import os
import random
import socket
import subprocess
import sys
import threading
import time

import numpy as np
import pytest

import tfmini as tf
from tests.cluster.tasks import Task, addresses, cluster_of, environment, run_program
from tfmini._src.base import proto
from tfmini._src.cluster.grpc_channel import MASTER, WORKER, Channel

TIMES = int(os.environ.get("TFMINI_FAULTS", "1"))
LOST = (tf.errors.UnavailableError, tf.errors.AbortedError, tf.errors.CancelledError)


class Run(threading.Thread):
    """A step in another thread, and its outcome."""

    def __init__(self, session, *args):
        super().__init__(daemon=True)
        self.session, self.args, self.error, self.result = session, args, None, None
        self.start()

    def run(self):
        try:
            self.result = self.session.run(*self.args)
        except Exception as error:
            self.error = error

    def failure(self, seconds=60):
        self.join(seconds)
        assert not self.is_alive(), "the step hangs"
        assert self.error is not None, self.result
        return self.error


def serves(target):
    """Whether sessions on a server still work."""
    with tf.Graph().as_default(), tf.Session(target) as session:
        assert session.run(tf.constant(2.0) * 3.0) == 6.0


def waiting_on(device):
    """An op that blocks on a task forever, and a consumer of its result."""
    with tf.device(device):
        element = tf.FIFOQueue(1, [tf.float32], shapes=[[]]).dequeue()
    return element


def test_killed_task_fails_step():
    with cluster_of({"ps": 1, "worker": 1}) as tasks:
        with tf.device("/job:worker/task:0"):
            after = waiting_on("/job:ps/task:0") + 1.0
        with tf.Session(tasks["worker", 0].target) as session:
            session.run(tf.constant(1.0))
            run = Run(session, after)
            run.join(0.7)
            assert run.is_alive()
            tasks["ps", 0].process.kill()
            assert isinstance(run.failure(), LOST)
            with pytest.raises(LOST, match="From /job:ps/replica:0/task:0:"):
                session.run(after)


@pytest.mark.full
def test_killed_master_fails_session():
    with cluster_of({"worker": 1}) as tasks:
        element = waiting_on("/job:worker/task:0")
        session = tf.Session(tasks["worker", 0].target)
        session.run(tf.constant(1.0))
        run = Run(session, element)
        run.join(0.5)
        tasks["worker", 0].process.kill()
        assert isinstance(run.failure(), LOST)
        session.close()  # which does not wait for it


def test_training_resumes_after_ps_restart(tmp_path):
    cluster = addresses({"ps": 1, "worker": 1})
    server, worker = Task(cluster, "ps", 0), Task(cluster, "worker", 0)
    try:
        server.wait()
        worker.wait()
        with tf.device(tf.train.replica_device_setter(cluster=cluster)):
            step = tf.train.get_or_create_global_step()
            weight = tf.get_variable("weight", initializer=0.0)
            train = tf.group(weight.assign_add(1.0), step.assign_add(1))
        with tf.train.MonitoredTrainingSession(
            worker.target,
            checkpoint_dir=str(tmp_path),
            save_checkpoint_steps=1,
            save_summaries_steps=None,
            log_step_count_steps=None,
        ) as session:
            for i in range(6):
                if i == 3:
                    server.kill()
                    server = Task(cluster, "ps", 0)
                    server.wait()
                session.run(train)
            result = session.run([weight, step])
        # An unsaved step may be lost, but no step is applied twice.
        assert result[0] == result[1] and 4 <= result[1] <= 6
    finally:
        server.kill()
        worker.kill()


def test_vanished_client_releases_its_steps():
    with cluster_of({"worker": 1}) as tasks:
        target = tasks["worker", 0].target
        code = """
import os, sys, threading, time
import tfmini as tf
queue = tf.FIFOQueue(2, [tf.float32], shapes=[[]], shared_name="kept")
session = tf.Session(sys.argv[1])
session.run(queue.size())
threading.Timer(0.5, os._exit, [0]).start()
session.run(queue.dequeue_many(2))
"""
        run_program(code, target)
        queue = tf.FIFOQueue(2, [tf.float32], shapes=[[]], shared_name="kept")
        with tf.Session(target) as session:
            session.run(queue.enqueue(5.0))
            # The client's step is queued before this one until the server notices that nothing waits for it.
            limit = tf.RunOptions(timeout_in_ms=60_000)
            assert session.run(queue.dequeue(), options=limit) == 5.0


def test_unstarted_task_blocks_session():
    cluster = addresses({"ps": 1, "worker": 1})
    code = """
import json, sys, tempfile
import tfmini as tf
from tfmini._src.cluster import master
master.WAITING_SECONDS = 0.2
server = tf.train.Server(json.loads(sys.argv[1]), "worker", 0)
one = tf.constant(1.0)
try:
    tf.Session(server.target, config=tf.ConfigProto(operation_timeout_in_ms=1000)).run(one)
except tf.errors.DeadlineExceededError as error:
    print("ended")
with tf.Session(server.target, config=tf.ConfigProto(device_filters=["/job:worker"])) as session:
    print(session.run(one))
"""
    done = subprocess.run(
        [sys.executable, "-W", "ignore", "-c", code, json.dumps(cluster)],
        capture_output=True,
        text=True,
        timeout=120,
        env=environment(),
    )
    waiting = "CreateSession still waiting for response from worker: /job:ps/replica:0/task:0"
    assert waiting in done.stderr and done.stdout == "ended\n1.0\n", done.stderr[-2000:]


@pytest.mark.full
def test_restart_with_other_cluster():
    cluster = addresses({"worker": 1})
    task = Task(cluster, "worker", 0)
    again = None
    try:
        task.wait()
        one = tf.constant(1.0)
        session = tf.Session(task.target)
        assert session.run(one) == 1.0
        task.kill()
        other = {"trainer": cluster["worker"], "ps": addresses({"ps": 1})["ps"]}
        again = Task(other, "trainer", 0)
        again.wait()
        deadline = time.monotonic() + 60
        while True:
            with pytest.raises(LOST) as caught:
                session.run(one)
            if isinstance(caught.value, tf.errors.AbortedError):
                break
            assert time.monotonic() < deadline
            time.sleep(0.1)
        assert caught.value.message.endswith(" is not found.")
        with pytest.raises(tf.errors.AbortedError, match="not found"):
            session.close()
    finally:
        task.kill() if again is None else again.kill()


@pytest.fixture(scope="module")
def tasks():
    with cluster_of({"worker": 1, "ps": 1}) as running:
        yield running


def test_random_bytes_on_port(tasks):
    target = tasks["worker", 0].target
    host, port = target.removeprefix("grpc://").split(":")
    source = random.Random(0)
    half = b"PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n\0\0\x12\4\0\0\0\0\0\0\3\0"
    for i in range(20 * TIMES):
        with socket.create_connection((host, int(port)), timeout=60) as connection:
            data = half if i % 4 == 0 else b""
            connection.sendall(data + source.randbytes(source.randrange(1, 3000)))
    serves(target)


def mutated(source, data):
    """A message with some bytes changed, deleted or inserted."""
    data = bytearray(data)
    for _ in range(source.randrange(1, 6)):
        at = source.randrange(len(data))
        kind = source.randrange(4)
        if kind == 0:
            data[at] = source.randrange(256)
        elif kind == 1:
            del data[at : at + source.randrange(1, 8)]
        elif kind == 2:
            data[at:at] = source.randbytes(source.randrange(1, 8))
        else:
            data[at] ^= 1 << source.randrange(8)
        if not data:
            return b""
    return bytes(data)


def test_mutated_messages(tasks):
    """Each gets a valid reply or a named error within seconds, and the server survives."""
    target = tasks["worker", 0].target
    channel = Channel(target.removeprefix("grpc://"))
    with tf.Graph().as_default() as graph:
        x = tf.placeholder(tf.float32, [2, 3], name="x")
        variable = tf.Variable(tf.zeros([3, 2]), name="variable")
        tf.matmul(x, variable, name="y")
        tf.string_join([tf.constant(["a", "b"]), tf.constant(["c", "d"])], name="s")
    created = channel.call(
        f"{MASTER}CreateSession",
        proto.CreateSessionRequest(graph_def=graph.as_graph_def()).SerializeToString(),
        timeout=60,
    )
    handle = proto.CreateSessionResponse.FromString(created).session_handle
    step = proto.RunStepRequest(session_handle=handle, fetch=["y:0", "s:0"], target=["init"])
    step.target[:] = ["variable/Assign"]
    feed = step.feed.add(name="x:0")
    feed.tensor.CopyFrom(tf.make_tensor_proto(np.ones([2, 3], np.float32)))
    step.options.timeout_in_ms = 3000
    register = proto.RegisterGraphRequest(graph_def=graph.as_graph_def())
    source = random.Random(1)
    answers = {}
    for i in range(150 * TIMES):
        method, message = (
            (f"{MASTER}RunStep", step) if i % 2 else (f"{WORKER}RegisterGraph", register)
        )
        start = time.monotonic()
        try:
            channel.call(method, mutated(source, message.SerializeToString()), timeout=60)
            answers["OK"] = answers.get("OK", 0) + 1
        except tf.errors.OpError as error:
            assert not isinstance(error, tf.errors.UnavailableError), error
            name = type(error).__name__
            answers[name] = answers.get(name, 0) + 1
            assert time.monotonic() - start < 50, error
    assert len(answers) > 1
    channel.close()
    serves(target)


def test_two_clients_close_same_session(tasks):
    channel = Channel(tasks["worker", 0].target.removeprefix("grpc://"))
    request = proto.CreateSessionRequest().SerializeToString()
    for _ in range(5 * TIMES):
        reply = channel.call(f"{MASTER}CreateSession", request, timeout=60)
        handle = proto.CreateSessionResponse.FromString(reply).session_handle
        close = proto.CloseSessionRequest(session_handle=handle).SerializeToString()
        outcomes = []

        def run(close=close, outcomes=outcomes):
            try:
                channel.call(f"{MASTER}CloseSession", close, timeout=60)
                outcomes.append("closed")
            except tf.errors.AbortedError:
                outcomes.append("gone")

        threads = [threading.Thread(target=run) for _ in range(2)]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join(60)
        assert sorted(outcomes) == ["closed", "gone"]
    channel.close()


def test_sessions_do_not_leak_on_tasks(tasks):
    """Sessions leave nothing behind on any task."""
    target = tasks["worker", 0].target
    x = tf.placeholder(tf.float32, [None])
    with tf.device("/job:ps/task:0"):
        y = tf.reduce_sum(x * 2.0)

    def resident(job):
        with open(f"/proc/{tasks[job, 0].process.pid}/status") as status:
            return next(int(line.split()[1]) for line in status if line.startswith("VmRSS"))

    def lives(count):
        for _ in range(count):
            with tf.Session(target) as session:
                session.run(y, {x: np.ones(1000)})

    lives(40)
    before = {job: resident(job) for job in ("worker", "ps")}
    for tenth in range(1 if TIMES == 1 else 10):
        lives(80 if TIMES == 1 else 15 * TIMES)
        sizes = {job: resident(job) for job in before}
        print(f"memory after {(tenth + 1) * 15 * TIMES} sessions: {sizes} kB, {before} kB at first")
    for job, first in before.items():
        assert resident(job) - first < 12_000 + 10 * TIMES, job
