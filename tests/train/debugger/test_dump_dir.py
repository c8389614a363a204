"""Folders of dumped tensors."""

import os
import subprocess

import numpy as np
import pytest

import tfmini as tf
from tfmini._src.train.debugger.dump_dir import WatchKeyDoesNotExistInDebugDumpDirError
from tfmini.compat.python import debug


def dumped(root):
    (run,) = os.listdir(root)
    return debug.DebugDumpDir(os.path.join(root, run))


def test_step_is_dumped(model, tmp_path):
    x, loss, train = model
    with debug.DumpingDebugWrapperSession(tf.Session(), str(tmp_path)) as session:
        session.session.run(tf.global_variables_initializer())
        value, _ = session.run([loss, train], {x: [1.0, 0.0]})
        with pytest.raises(NotImplementedError, match="partial_run_setup is not implemented"):
            session.partial_run_setup([loss], [x])
    assert value == -np.inf
    result = dumped(tmp_path)
    values = {datum.tensor_name: datum.get_tensor() for datum in result.dumped_tensor_data}
    np.testing.assert_array_equal(values["x:0"], [1.0, 0.0])
    np.testing.assert_array_equal(values["scope/y:0"], [0.0, -np.inf])
    assert values["words:0"].tolist() == [b"1", b"2"]
    assert not [name for name in values if name.startswith("cond/Switch")]
    infinite = result.find(debug.has_inf_or_nan)
    assert [datum.node_name for datum in infinite][:2] == ["scope/y", "loss"]
    assert result.find(debug.has_inf_or_nan, first_n=1, exclude_node_names="scope.*") == [
        infinite[1]
    ]
    assert result.size == len(values) and result.t0 <= infinite[0].timestamp
    assert result.core_metadata.input_names == ["x:0"]
    assert "loss:0" in result.run_fetches_info and "x:0" in result.run_feed_keys_info
    (device,) = result.devices()
    assert result.node_device("loss") == device and result.node_op_type("loss") == "Sum"
    assert result.node_inputs("scope/y") == ["mul"]
    assert "loss" in result.node_recipients("scope/y")
    assert result.node_exists("loss") and not result.node_exists("nowhere")
    assert result.get_tensors("loss", 0, "DebugIdentity") == [-np.inf]
    with pytest.raises(WatchKeyDoesNotExistInDebugDumpDirError, match='"a:0:DebugIdentity"'):
        result.get_tensors("a", 0, "DebugIdentity")
    with pytest.raises(LookupError, match="^Python graph is not available for traceback lookup$"):
        result.node_traceback("loss")
    result.set_python_graph(loss.graph)
    assert result.node_traceback("loss:0") == loss.op.traceback
    with pytest.raises(KeyError, match='Cannot find node "nowhere" in Python graph'):
        result.node_traceback("nowhere:0")
    with pytest.raises(ValueError, match="session_root path points to a non-empty directory"):
        debug.DumpingDebugWrapperSession(tf.Session(), str(tmp_path))


@pytest.mark.reference
def test_tensorflow_reads_dumps(model, tmp_path, reference):
    x, loss, train = model
    with tf.train.SingularMonitoredSession(
        hooks=[debug.DumpingDebugHook(str(tmp_path))]
    ) as session:
        session.run([loss, train], {x: [1.0, 0.0]})
    code = (
        "import os, sys\n"
        "from tensorflow.python import debug\n"
        "found = debug.DebugDumpDir(os.path.join(sys.argv[1], os.listdir(sys.argv[1])[0]))\n"
        "print(found.size, [d.node_name for d in found.find(debug.has_inf_or_nan)][:2])\n"
        "print(found.watch_key_to_data('words:0:DebugIdentity')[0].get_tensor())\n"
    )
    printed = subprocess.run(
        [str(reference), "-W", "ignore", "-c", code, str(tmp_path)],
        capture_output=True,
        text=True,
        timeout=120,
        check=True,
        env={**os.environ, "TF_CPP_MIN_LOG_LEVEL": "3"},
    ).stdout
    size = dumped(tmp_path).size
    assert printed.splitlines() == [f"{size} ['scope/y', 'loss']", "[b'1' b'2']"]


@pytest.mark.parametrize("is_hook", [False, True])
def test_dump_directory_of_stopped_step(model, tmp_path, capsys, is_hook):
    x, loss, _ = model
    root = str(tmp_path / "stopped")
    if is_hook:
        hook = debug.LocalCLIDebugHook("readline", root)
        session = tf.train.SingularMonitoredSession([hook])
    else:
        plain = tf.Session()
        plain.run(tf.global_variables_initializer())
        session = debug.LocalCLIDebugWrapperSession(plain, root, ui_type="readline")
    for _ in range(2):
        session.run(loss, {x: [1.0, 1.0]})
    with pytest.raises(tf.errors.InvalidArgumentError, match="tensor scope/y:0") as caught:
        session.run({"a": loss}, {x: [1.0, 0.0]})
    assert caught.value.op is loss.graph.get_operation_by_name("scope/y")
    session.close()
    result = dumped(root)
    core = result.core_metadata
    assert (core.session_run_index, core.global_step, core.executor_step_index) == (3, -1, 0)
    assert (core.input_names, core.output_names, core.target_nodes) == (["x:0"], ["loss:0"], [])
    assert result.run_fetches_info == repr({"a": loss})
    assert result.run_feed_keys_info == repr({x: 0}.keys())
    (times,) = result.get_rel_timestamps("x", 0, "DebugIdentity")
    assert times == 0
    assert "has_inf_or_nan: tensor scope/y:0" in capsys.readouterr().out
