"""`tensorflow.python.debug`: dumping and reading step tensors, and stopping at the first infinity."""

import os
from pathlib import Path

import numpy as np
import pytest

import tfmini as tf
from tfmini._src.train.debugger.report import value_text
from tfmini.compat.python import debug


def dumped(root):
    (run,) = os.listdir(root)
    return debug.DebugDumpDir(os.path.join(root, run))


@pytest.mark.parametrize("is_hook", [False, True])
def test_first_infinity_stops_program(model, tmp_path, capsys, is_hook):
    x, loss, train = model
    root = str(tmp_path / "stopped")
    if is_hook:
        hook = debug.LocalCLIDebugHook(dump_root=root)
        session = tf.train.SingularMonitoredSession(hooks=[hook])
    else:
        plain = tf.Session()
        plain.run(tf.global_variables_initializer())
        session = debug.LocalCLIDebugWrapperSession(plain, dump_root=root)
    session.run([loss, train], {x: [1.0, 1.0]})
    assert capsys.readouterr().out == ""
    with pytest.raises(tf.errors.InvalidArgumentError) as caught:
        session.run([loss, train], {x: [1.0, 0.0]})
    session.close()
    text = caught.value.message
    first, collected, where = text.splitlines()
    line = f"{Path(__file__).with_name('conftest.py')}:"
    assert first.startswith(f"has_inf_or_nan: tensor scope/y:0 of node scope/y (defined at {line}")
    assert "type Log: float32 [2], 1 of 2 elements are -inf, from " in first
    assert collected.startswith("  its input mul:0: float32 [2], from 0 to ")
    assert where.startswith(f"  all tensors of the step: {root}")
    assert capsys.readouterr().out == f"{text}\n"
    assert dumped(root).find(debug.has_inf_or_nan)[0].node_name == "scope/y"


def test_interactive_commands(model, monkeypatch, capsys):
    x, loss, _ = model
    answers = iter(["lt", "pt scope/y", "ni loss", "what", "r", "q"])
    monkeypatch.setattr("builtins.input", lambda prompt: next(answers))
    monkeypatch.setattr("sys.stdin.isatty", lambda: True, raising=False)
    monkeypatch.setattr("sys.stdout.isatty", lambda: True, raising=False)
    session = debug.LocalCLIDebugWrapperSession(tf.Session(), ui_type="readline")
    session.session.run(tf.global_variables_initializer())
    assert session.run(loss, {x: [1.0, 0.0]}) == -np.inf  # "r" continues
    printed = capsys.readouterr().out
    assert "scope/y:0: float32 [2], 1 of 2 elements are -inf" in printed
    assert "node loss (defined at" in printed and "[  0. -inf]" in printed
    with pytest.raises(
        tf.errors.InvalidArgumentError,
        match="tensor scope/y:0 of node scope/y .* 1 of 2 elements are -inf",
    ):
        session.run(loss, {x: [1.0, 0.0]})  # "q" stops
    session.close()


def test_watch_options_select_tensors(model, tmp_path):
    x, loss, _ = model

    def watch(fetches, feeds):
        return debug.WatchOptions(node_name_regex_whitelist="scope|l", op_type_regex_whitelist="S")

    session = debug.DumpingDebugWrapperSession(tf.Session(), str(tmp_path), watch)
    session.session.run(tf.global_variables_initializer())
    session.run(loss, {x: [1.0, 1.0]})
    result = dumped(tmp_path)
    result.dumped_tensor_data.clear()  # the caller's list
    assert [datum.node_name for datum in result.dumped_tensor_data] == ["loss"]
    with pytest.raises(ValueError, match="only be DebugIdentity"):
        debug.WatchOptions(debug_ops=["DebugNanCount"])
    with pytest.raises(TypeError, match="watch_fn is not callable"):
        debug.DumpingDebugWrapperSession(tf.Session(), str(tmp_path / "x"), watch_fn=3)
    with pytest.raises(TypeError, match="Expected type"):
        debug.DumpingDebugWrapperSession(3, str(tmp_path / "x"))
    with pytest.raises(ValueError, match="Invalid UI type: gtk."):
        debug.LocalCLIDebugHook("gtk")
    with pytest.raises(OSError, match="does not exist"):
        debug.DebugDumpDir(str(tmp_path / "nowhere"))


@pytest.mark.parametrize("name, is_looked_at", [("Main.*", True), ("Thread", False)])
def test_threads_outside_filter_are_not_watched(model, tmp_path, name, is_looked_at):
    x, loss, _ = model
    created = debug.DumpingDebugWrapperSession(
        tf.Session(), str(tmp_path / "dumped"), thread_name_filter=name
    )
    with created as session:
        session.session.run(tf.global_variables_initializer())
        session.run(loss, {x: [1.0, 2.0]})
    written = [name for _, _, files in os.walk(tmp_path / "dumped") for name in files]
    assert any(name.startswith("loss_") for name in written) is is_looked_at
    with debug.LocalCLIDebugWrapperSession(tf.Session(), thread_name_filter=name) as session:
        assert session._threads.pattern == name


@pytest.mark.parametrize(
    "options, expected",
    [
        ({}, {"scope/y", "loss", "exp"}),
        ({"node_name_regex_whitelist": "lo|y"}, {"loss"}),
        ({"op_type_regex_whitelist": "um|Log"}, {"scope/y"}),
        ({"tensor_dtype_regex_whitelist": "int|32"}, set()),
        ({"node_name_regex_whitelist": "exp|loss", "op_type_regex_whitelist": "S"}, {"loss"}),
    ],
)
def test_patterns_match_from_start(options, expected):
    with tf.Graph().as_default():
        y = tf.log(tf.placeholder(tf.float32), name="scope/y")
        created = [y, tf.reduce_sum(y, name="loss"), tf.exp(y, name="exp")]
        fits = debug.WatchOptions(**options).matches
    assert {tensor.op.name for tensor in created if fits(tensor)} == expected


@pytest.mark.parametrize(
    "value, text",
    [
        (np.array([1.5], "f"), "float32 [1], 1.5"),
        (np.array(3), "int64 [], 3"),
        (np.array([1, 5, 2]), "int64 [3], from 1 to 5"),
        (np.array([1, np.nan, -np.inf, np.inf, np.inf], "f"), ", 1 of 5 elements are nan, "),
        (np.array([1, np.nan, -np.inf, np.inf, np.inf], "f"), ", 1 of 5 elements are -inf, "),
        (np.array([1, -np.inf, np.inf, np.inf], "f"), ", 2 of 4 elements are inf, from 1 to 1"),
        (np.array([np.nan, np.nan], "f"), "float32 [2], 2 of 2 elements are nan"),
        (np.array([True, False]), "bool [2], from 0 to 1"),
        (np.array([], "f"), "float32 [0]"),
        (np.array([b"a", b"b"], object), "object [2]"),
        (np.array([2.5, 1.0], tf.bfloat16.as_numpy_dtype), "bfloat16 [2], from 1 to 2.5"),
    ],
)
def test_value_summary(value, text):
    result = value_text(value)
    assert text in result if text.startswith(",") else result == text
