"""Loops divided over several tasks of tfmini and TensorFlow 1.15.5: values, failures, and termination."""

import json
import threading
from pathlib import Path

import numpy as np
import pytest

import tfmini as tf
from tests.cluster import loop_cases
from tests.cluster.tasks import addresses, cluster_of, run_program
from tests.support.waiting import until
from tfmini._src.cluster.partition import partition
from tfmini._src.cluster.rendezvous import Rendezvous

PROGRAM = Path(loop_cases.__file__).read_text()


def flat(value):
    return np.concatenate([np.ravel(each) for each in value]) if type(value) is list else value


def check(text):
    actual = json.loads(text.splitlines()[-1])
    assert actual.pop("failing") == "InvalidArgumentError late"
    assert actual.pop("endless") == "DeadlineExceededError"
    assert actual.pop("after") == [5, 58.0]
    assert actual.keys() == {case.__name__ for case in loop_cases.CASES}
    for case, expected in loop_cases.CASES.items():
        value = actual[case.__name__]
        if isinstance(expected, bytes):
            assert value == expected.decode()
        else:
            np.testing.assert_allclose(
                flat(value), flat(expected), rtol=1e-5, err_msg=case.__name__
            )


def test_loops_across_tasks():
    with cluster_of({"ps": 1, "worker": 1}) as tasks:
        check(run_program(PROGRAM, "tfmini", tasks["worker", 0].target))


@pytest.mark.reference
@pytest.mark.parametrize("client", ["tensorflow", "tfmini"])
@pytest.mark.parametrize("theirs", [("ps", 0), ("worker", 0)], ids=["ps", "worker"])
def test_loops_across_tasks_match_tensorflow(reference, client, theirs):
    with cluster_of({"ps": 1, "worker": 1}, [theirs], reference) as tasks:
        python = reference if client == "tensorflow" else None
        check(run_program(PROGRAM, client, tasks["worker", 0].target, python=python))


@pytest.fixture
def target():
    """A server of a cluster of two, both in this process."""
    cluster = addresses({"ps": 1, "worker": 1})
    servers = [tf.train.Server(cluster, job, 0) for job in cluster]
    yield servers[1].target
    for server in servers:
        server._stop()


def loops():
    """The threads that run loops or wait for one."""
    return [t for t in threading.enumerate() if t.name in ("tfmini loop", "client of a loop")]


class Run(threading.Thread):
    """A step in another thread, and the error that ends it."""

    def __init__(self, session, fetches, options=None):
        super().__init__(name="client of a loop", daemon=True)
        self.session, self.fetches, self.options, self.error = session, fetches, options, None
        self.start()

    def run(self):
        try:
            self.session.run(self.fetches, options=self.options)
        except tf.errors.OpError as error:
            self.error = error


def test_endless_loop_is_stopped(target):
    endless, counted = loop_cases.endless(), loop_cases.counted()
    with tf.Session(target) as session:
        late = Run(session, endless, tf.RunOptions(timeout_in_ms=300))
        until(lambda: not loops())
        assert isinstance(late.error, tf.errors.DeadlineExceededError)
        assert session.run(counted) == (5, 58.0)
        closed = Run(session, endless)
        until(lambda: len(loops()) == 3)
    until(lambda: not loops())
    assert isinstance(closed.error, tf.errors.CancelledError)


def test_send_only_task_in_loop(target):
    """TensorFlow 1.15.5 hangs."""
    with tf.device(loop_cases.B):
        start = tf.get_variable("start", initializer=2.0, use_resource=False)
    with tf.device(loop_cases.A):

        def body(i, x):
            with tf.control_dependencies([start]):
                return i + 1, x + tf.identity(start)

        end = tf.while_loop(lambda i, x: i < 3, body, [tf.constant(0), tf.constant(1.0)])
    with tf.Session(target) as session:
        session.run(start.initializer)
        assert session.run(end, options=tf.RunOptions(timeout_in_ms=20000)) == (3, 7.0)


def test_failure_names_node_and_task(target):
    with tf.Session(target) as session:
        with pytest.raises(tf.errors.InvalidArgumentError, match="late : Tensor had Inf") as caught:
            session.run(loop_cases.failing())
        assert caught.value.op.type == "CheckNumerics"
        assert "From /job:worker/replica:0/task:0:" in caught.value.message
        assert "loop_cases.py" in caught.value.message
    until(lambda: not loops())  # the error does not wait for the steps it cancels


@pytest.mark.parametrize("killed", [("ps", 0), ("worker", 1)], ids=["the condition's", "a part's"])
def test_killed_task_ends_loop(killed):
    with cluster_of({"ps": 1, "worker": 2}) as tasks:
        with tf.device(loop_cases.A):

            def body(i):
                with tf.device("/job:worker/task:1"):
                    return i * 1

            endless = tf.while_loop(lambda i: i < 9, body, [tf.constant(1)])
        with tf.Session(tasks["worker", 0].target) as session:
            run = Run(session, endless)
            run.join(1)
            assert run.is_alive()
            tasks[killed].process.kill()
            run.join(60)
            assert isinstance(run.error, (tf.errors.UnavailableError, tf.errors.AbortedError))
        alone = tf.ConfigProto(device_filters=["/job:worker/task:0"])
        with tf.Graph().as_default():
            six = tf.constant(2.0) * 3.0
            with tf.Session(tasks["worker", 0].target, config=alone) as session:
                assert session.run(six) == 6.0


def test_control_flow_is_colocated_with_data(graph):
    cpu = "/replica:0/task:0/device:CPU:0"
    end = tf.while_loop(lambda i: i < 3, lambda i: i + 1, [tf.constant(0)], name="w")
    end += 1
    devices = dict.fromkeys(graph.get_operations(), f"/job:a{cpu}")
    for name in ("w/Enter", "w/Switch", "w/NextIteration", "w/Exit"):
        devices[graph.get_operation_by_name(name)] = f"/job:b{cpu}"
    (part,) = partition(graph, devices.__getitem__, [end], [], [], {})
    assert part.task == "/job:a/replica:0/task:0" and part.has_control_flow


def test_frame_without_condition_is_rejected(graph):
    cpu = "/replica:0/task:0/device:CPU:0"
    entered = tf.raw_ops.Enter(data=tf.constant(1.0), frame_name="alone")
    with tf.device("/job:b"):
        read = tf.raw_ops.Exit(data=entered + entered * 2.0)
    with pytest.raises(
        tf.errors.InvalidArgumentError,
        match="^A cross-device loop must have a pivot predicate: alone$",
    ):
        partition(
            graph,
            lambda op: f"/job:{'b' if op.type == 'AddV2' else 'a'}{cpu}",
            [read],
            [],
            [],
            {},
        )


def test_rendezvous_keys_include_frame_and_iteration():
    """The number is TensorFlow 1.15.5's string_to_hash_bucket of ";0;outer;0;inner"."""
    rendezvous = Rendezvous()
    inner = rendezvous.frame_rendezvous("outer").frame_rendezvous("inner")
    inner.iteration = 2
    inner.send("a;1;b;name;0:0", 7, tf.float32)
    got = []
    rendezvous.receive(
        "a;1;b;name;8283305373521796989:2", lambda item, error: got.append(item.value)
    )
    assert got == [7]
