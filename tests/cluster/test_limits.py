"""Server limits, and tensors larger than messages."""

import re

import numpy as np
import pytest

import tfmini as tf
from tests.cluster.tasks import cluster_of
from tfmini._src.cluster import chunks, limits, wire
from tfmini._src.functions.defun import Defun


def test_server_enforces_limits():
    said = {"TFMINI_LIMITS": "message=1M, sessions=2, nodes=40"}
    with cluster_of({"worker": 1}, variables=said) as tasks:
        target = tasks["worker", 0].target
        x = tf.placeholder(tf.float32, [None])
        total = tf.reduce_sum(x)
        with tf.Session(target) as one, tf.Session(target) as other:
            assert one.run(total, {x: np.ones(1000)}) == other.run(total, {x: [1.0]}) + 999.0
            text = r"of 40000\d\d bytes exceeds the limit of the server at .*, 1048576 .TFMINI_LIMITS=message"
            with pytest.raises(tf.errors.ResourceExhaustedError, match=text):
                one.run(total, {x: np.ones(1_000_000)})
            with pytest.raises(
                tf.errors.ResourceExhaustedError, match="has 2 open sessions; the limit is"
            ):
                tf.Session(target).run(total, {x: [1.0]})
            for _ in range(40):
                total += 1.0
            with pytest.raises(
                tf.errors.ResourceExhaustedError, match="nodes exceeds this server's limit"
            ):
                other.run(total, {x: [1.0]})
        with tf.Graph().as_default(), tf.Session(target) as again:
            assert again.run(tf.constant(2.0)) == 2.0


def test_limits_are_parsed(monkeypatch):
    monkeypatch.setenv("TFMINI_LIMITS", "message=3K,nodes=7")
    assert limits.current() == limits.Limits(message=3072, nodes=7)
    monkeypatch.setenv("TFMINI_LIMITS", "message=8G")
    assert limits.current() == limits.Limits()
    for wrong in ("memory=3", "message=", "nodes=1.5"):
        monkeypatch.setenv("TFMINI_LIMITS", wrong)
        with pytest.raises(tf.errors.InvalidArgumentError, match=re.escape(f"not '{wrong}'")):
            tf.train.Server.create_local_server()


def test_function_nodes_count_towards_limit(monkeypatch):
    @Defun(tf.float32)
    def sum_of_many(x):
        return tf.add_n([x + float(n) for n in range(5)])

    with tf.Graph().as_default() as graph:
        sum_of_many(tf.constant(1.0))
    definition = graph.as_graph_def()
    (function,) = definition.library.function
    known = len(definition.node) + len(function.node_def)
    assert len(function.node_def) >= 11
    monkeypatch.setenv("TFMINI_LIMITS", f"nodes={known + 3}")
    limits.check_nodes(definition, 3)
    with pytest.raises(
        tf.errors.ResourceExhaustedError, match=f"of {known + 4} nodes exceeds this server's limit"
    ):
        limits.check_nodes(definition, 4)


def test_messages_above_2_gb_are_rejected():
    large = np.broadcast_to(np.uint8(0), [3 << 30]).data
    with pytest.raises(tf.errors.ResourceExhaustedError, match="A message of 3221225473 bytes"):
        wire.join_buffers([b"\x0a", large])


def test_large_tensors_are_transferred_in_parts():
    with cluster_of({"ps": 1, "worker": 1}, variables={"TFMINI_SHARED_MEMORY": "0"}) as tasks:
        with tf.device("/job:ps/task:0"):
            start = tf.placeholder(tf.int32, [])
            there = tf.range(start, start + 3_000_000)
        with tf.device("/job:worker/task:0"):
            ends = tf.gather(tf.identity(there), [0, 1_499_999, 2_999_999])
            total = tf.reduce_sum(tf.cast(there, tf.int64))
        with tf.Session(tasks["worker", 0].target) as session:
            for first in range(3):
                result = session.run([ends, total], {start: first})
                assert result[0].tolist() == [first, first + 1_499_999, first + 2_999_999]
                assert result[1] == 3_000_000 * first + 3_000_000 * 2_999_999 // 2


@pytest.fixture
def small_parts(monkeypatch):
    monkeypatch.setattr(chunks, "PART_BYTES", 1024)


def test_parts_are_pulled_and_joined(small_parts):
    source = np.random.RandomState(0)
    buffers = [
        source.bytes(size) for size in (5, chunks.PART_BYTES, 0, 1000, 9 * chunks.PART_BYTES)
    ]
    stored, calls = chunks.StoredReplies(), []

    def begin(method, request, then):
        assert method == chunks.PULL_PART
        calls.append(lambda: then(stored.take_chunk(request), None))
        return lambda: None

    outcomes = []
    reply = stored.store(7, buffers)
    chunks.pull(begin, reply, lambda *outcome: outcomes.append(outcome))
    while calls:
        calls.pop()()
    ((whole, error),) = outcomes
    assert error is None and bytes(whole) == b"".join(buffers) and whole.readonly
    with pytest.raises(tf.errors.AbortedError, match="has ended"):
        stored.take_chunk(b"\x0a\x01a")
    secret = stored.store(7, buffers)[:18]
    stored.forget(7)
    with pytest.raises(tf.errors.AbortedError, match="has ended"):
        stored.take_chunk(secret.replace(b"\x1a", b"\x0a", 1))


def test_failed_part_fails_reply(small_parts):
    stored, outcomes, cancelled = chunks.StoredReplies(), [], []
    calls = []

    def begin(method, request, then):
        calls.append(then)
        return lambda: cancelled.append(then)

    reply = stored.store(1, [bytes(9 * chunks.PART_BYTES)])
    chunks.pull(begin, reply, lambda *outcome: outcomes.append(outcome))
    first, *others = calls
    first(b"too short", None)
    for each in others:
        each(None, tf.errors.CancelledError(None, None, "Cancelled"))
    ((whole, error),) = outcomes
    assert whole is None and "Malformed" in error.message and cancelled == others
    chunks.pull(begin, b"\x1a\x7f", lambda *outcome: outcomes.append(outcome))
    assert "Malformed" in outcomes[1][1].message
