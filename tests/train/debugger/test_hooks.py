"""Debug hooks."""

import os

import pytest

import tfmini as tf
from tfmini.compat.python import debug


def test_dumping_hook(model, tmp_path):
    x, loss, train = model
    hook = debug.DumpingDebugHook(
        str(tmp_path),
        watch_fn=lambda fetches, feeds: debug.WatchOptions(node_name_regex_whitelist="loss"),
    )
    with tf.train.SingularMonitoredSession([hook]) as session:
        first = session.run(loss, {x: [1.0, 1.0]})
        second = session.run([loss, train], {x: [1.0, 2.0]})[0]
    runs = sorted(os.listdir(tmp_path), key=lambda name: os.stat(tmp_path / name).st_mtime_ns)
    values = [
        debug.DebugDumpDir(str(tmp_path / run)).get_tensors("loss", 0, "DebugIdentity")[0]
        for run in runs
    ]
    assert sorted(map(float, values)) == sorted([float(first), float(second)])
    with pytest.raises(ValueError, match="thread_name_filter"):
        debug.DumpingDebugHook(str(tmp_path / "other"), thread_name_filter="Main")
    with pytest.raises(ValueError, match="thread_name_filter"):
        debug.LocalCLIDebugHook(thread_name_filter="Main")


def test_hook_with_filter(model, capsys):
    x, loss, _ = model
    hook = debug.LocalCLIDebugHook()
    hook.add_tensor_filter("large", lambda datum, value: datum.node_name == "loss")
    with pytest.raises(tf.errors.InvalidArgumentError, match="large: tensor loss:0"):
        with tf.train.SingularMonitoredSession([hook]) as session:
            session.run(loss, {x: [1.0, 1.0]})
    assert "large: tensor loss:0 of node loss" in capsys.readouterr().out
