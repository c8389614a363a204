"""Traces and time reports of entire runs."""

import json
import re

import numpy as np
import pytest

import tfmini as tf
from tests.session.test_run_hooks import watched
from tests.support.gpu.gpus import fake_gpus
from tfmini._src.programs.runner.profile import Profile, seconds
from tfmini._src.programs.runner.trace_file import TraceFile


def test_trace_of_run(tmp_path, capsys):
    path = tmp_path / "trace.json"
    x = tf.placeholder(tf.float32, [2], name="x")
    y = tf.reduce_sum(tf.exp(x, name="e"), name="y")
    file = TraceFile(str(path), max_events=7)
    watched(file.add, *[({"y": [y]}, {x: [0.0, 0.0]})] * 3)
    file.close()
    assert (
        capsys.readouterr().err
        == f"tfmini: {path} has 8 events of 2 steps; 1 steps more are not in it\n"
    )
    events = json.loads(path.read_text())["traceEvents"]
    names = [event["args"]["name"] for event in events if event["ph"] == "M"]
    assert names == ["steps", "device:CPU:0"]
    regions = [event for event in events if event["ph"] == "X"]
    assert [event["name"] for event in regions] == [
        "run 1: y:0",
        "Exp",
        "Sum",
        "run 2: y:0",
        "Exp",
        "Sum",
    ]
    step, first, second = regions[:3]
    line = test_trace_of_run.__code__.co_firstlineno + 3
    assert first["args"] == {
        "name": "e",
        "op": "Exp",
        "line": f"{__file__}:{line}",
        "shapes": "[[2]]",
    }
    assert step["ts"] <= first["ts"] and first["ts"] + first["dur"] <= second["ts"]
    assert second["ts"] + second["dur"] <= step["ts"] + step["dur"]


def test_profile_of_run():
    x = tf.placeholder(tf.float32, [100, 100], name="x")
    queue = tf.FIFOQueue(5, tf.float32)
    put, take = queue.enqueue(1.0), queue.dequeue()
    profile = Profile()
    with fake_gpus(devices=1):
        with tf.device("/gpu:0"):
            y = tf.matmul(x, x, name="product")
        watched(profile.add, *[(y, {x: np.ones((100, 100))})] * 2, (put,), (take,))
    total, moved, waited, _, head, *rows = profile.report().splitlines()
    assert total.startswith("4 steps, 3 of them compiled (")
    ran, *copied = moved.split("; ")
    # A launch takes a microsecond by the fake's events.
    assert re.fullmatch(
        r"2 nodes ran on GPUs, \d us by CUDA events, with 2 launches in addition .*", ran
    )
    assert copied == ["2 times copied to GPUs, 80,000 bytes", "2 times copied from GPUs"]
    assert waited.startswith("4 waits took ")
    assert head.split() == "time share runs a run longest type line nodes".split()
    (row,) = [row for row in rows if " MatMul " in row]
    line = test_profile_of_run.__code__.co_firstlineno + 7
    assert row.endswith(f"test_watched_runs.py:{line}  product") and " 2 " in row
    assert "more, which took" in profile.report(max_lines=1)
    assert Profile().report().startswith("0 steps, 0 of them compiled (0 ns), took 0 ns of ")


def test_profile_names_slowest_nodes_of_line():
    created = [(n, tf.placeholder(tf.float32, [n, n])) for n in (2, 3, 800)]
    products = [tf.matmul(x, x, name=f"of_{n}") for n, x in created]
    profile = Profile()
    watched(profile.add, *[(products, {x: np.ones((n, n)) for n, x in created})] * 2)
    assert (profile.steps, profile.compiled) == (2, 1)
    (row,) = [row for row in profile.report().splitlines() if " MatMul " in row]
    assert re.search(r"  of_800, of_[23], \.\.\.$", row)


@pytest.mark.parametrize(
    "time, text",
    [(999, "999 ns"), (1500, "1.5 us"), (310e6, "310 ms"), (1.254e9, "1.25 s"), (4e12, "4,000 s")],
)
def test_time_formatting(time, text):
    assert seconds(int(time)) == text
