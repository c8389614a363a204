"""listing: each line of a printed plan names its node, with dtype, shape and device."""

import re

import tfmini as tf
from tests.support.gpu.gpus import fake_gpus
from tfmini._src.compiler.program import debug
from tfmini._src.devices.cuda.capture import partition


def printed(monkeypatch, capsys, fetches, feed):
    """The plan printed by a run, line by line."""
    monkeypatch.setattr(debug, "FLAGS", {"plan"})
    with tf.Session() as session:
        session.run(fetches, feed)
    output = capsys.readouterr()
    assert not output.out
    return output.err.splitlines()


def test_listing_shows_node_dtype_shape_and_device(monkeypatch, capsys):
    x = tf.placeholder(tf.float32, [None, 2], name="x")
    unranked = tf.placeholder(tf.float64, name="unranked")
    first, second = tf.split(tf.exp(x, name="e"), 2, axis=1, name="parts")
    fetches = [first + second, tf.sqrt(unranked, name="root")]
    lines = printed(monkeypatch, capsys, fetches, {x: [[1.0, 2.0]], unranked: 4.0})
    comments = [re.sub(r"^.*  # ", "", line) for line in lines if "  # " in line]
    assert "e: float32[?,2] on CPU:0" in comments
    assert "parts: float32[?,1], float32[?,1] on CPU:0" in comments
    assert "root: float64 on CPU:0" in comments
    assert lines[1] == "def plan(feeds):"


def test_listing_of_loop_and_assert(monkeypatch, capsys):
    i = tf.while_loop(lambda i: i < 3, lambda i: tf.add(i, 1, name="next"), [tf.constant(0)])
    check = tf.Assert(tf.equal(i, 3), [i], name="check")
    lines = printed(monkeypatch, capsys, [i, check], {})
    assert any(line.endswith("  # while/next: int32[] on CPU:0") for line in lines)
    assert any(line.endswith("  # check/Assert on CPU:0") for line in lines)


def test_listing_names_gpu(monkeypatch, capsys):
    with fake_gpus(devices=1), tf.Graph().as_default():
        x = tf.placeholder(tf.float32, [2], name="x")
        lines = printed(monkeypatch, capsys, tf.cumsum(x, name="sums"), {x: [1.0, 2.0]})
    assert any(line.endswith("  # sums: float32[2] on GPU:0") for line in lines)


def test_listing_explains_uncaptured_nodes(monkeypatch, capsys):
    monkeypatch.delenv("TFMINI_CUDA_GRAPHS", raising=False)
    monkeypatch.setattr(partition, "_MIN_LAUNCHES", 1)
    with fake_gpus(devices=1), tf.Graph().as_default():
        x = tf.placeholder(tf.float32, [2], name="x")
        gone = tf.reduce_sum(tf.exp(x, name="e"), name="sum")
        with tf.device("/cpu:0"):
            shown = tf.sqrt(gone, name="root")
        chosen = tf.cond(gone > 0, lambda: tf.sin(x, name="sine"), lambda: x, name="chosen")
        lines = printed(monkeypatch, capsys, [shown, chosen], {x: [1.0, 2.0]})
    result = set(re.findall(r"  # (\S+): .*; not captured: (.*)$", "\n".join(lines), re.MULTILINE))
    assert ("root", "reads on the host a value that may change between runs") in result
    assert ("chosen/Merge", "depends on a host predicate") in result
    assert ("sum", "passes a value to the host") in result  # its copy
    assert not {"e", "chosen/sine"} & {name for name, _ in result}


def test_listing_explains_small_segments(monkeypatch, capsys):
    monkeypatch.delenv("TFMINI_CUDA_GRAPHS", raising=False)
    with fake_gpus(devices=1), tf.Graph().as_default():
        x = tf.placeholder(tf.float32, [2], name="x")
        lines = printed(monkeypatch, capsys, tf.exp(x, name="e"), {x: [1.0, 2.0]})
    assert any(line.endswith("; not captured: too few adjacent launches") for line in lines)
