"""`tensorflow.python.debug`: tensors of steps written and read, and programs stopped at the first infinity."""

import os
import subprocess

import numpy as np
import pytest

import tfmini as tf
from tfmini._src.train.debugger.dump_dir import WatchKeyDoesNotExistInDebugDumpDirError
from tfmini._src.train.debugger.report import value_text
from tfmini.compat.python import debug


@pytest.fixture
def model():
    """A step whose loss is infinite where x has a 0: (x, loss, a training op)."""
    x = tf.placeholder(tf.float32, [2], name="x")
    v = tf.get_variable("v", initializer=[1.0, 2.0])
    y = tf.log(x * v, name="scope/y")
    loss = tf.reduce_sum(y, name="loss")
    picked = tf.cond(loss > 0.0, lambda: loss * 2.0, lambda: loss)
    words = tf.as_string(tf.identity([1, 2], name="ints"), name="words")
    step = tf.train.get_or_create_global_step()
    with tf.control_dependencies([words]):
        train = tf.train.GradientDescentOptimizer(0.1).minimize(picked, global_step=step)
    return x, loss, train


def dumped(root):
    (run,) = os.listdir(root)
    return debug.DebugDumpDir(os.path.join(root, run))


def test_a_step_is_written(model, tmp_path):
    x, loss, train = model
    with debug.DumpingDebugWrapperSession(tf.Session(), str(tmp_path)) as session:
        session.session.run(tf.global_variables_initializer())
        value, _ = session.run([loss, train], {x: [1.0, 0.0]})
        with pytest.raises(NotImplementedError, match="partial_run_setup is not implemented"):
            session.partial_run_setup([loss], [x])
    assert value == -np.inf
    found = dumped(tmp_path)
    values = {datum.tensor_name: datum.get_tensor() for datum in found.dumped_tensor_data}
    np.testing.assert_array_equal(values["x:0"], [1.0, 0.0])
    np.testing.assert_array_equal(values["scope/y:0"], [0.0, -np.inf])
    assert values["words:0"].tolist() == [b"1", b"2"]
    assert not [name for name in values if name.startswith("cond/Switch")]
    infinite = found.find(debug.has_inf_or_nan)
    assert [datum.node_name for datum in infinite][:2] == ["scope/y", "loss"]
    assert found.find(debug.has_inf_or_nan, first_n=1, exclude_node_names="scope.*") == [
        infinite[1]
    ]
    assert found.size == len(values) and found.t0 <= infinite[0].timestamp
    assert found.core_metadata.input_names == ["x:0"]
    assert "loss:0" in found.run_fetches_info and "x:0" in found.run_feed_keys_info
    (device,) = found.devices()
    assert found.node_device("loss") == device and found.node_op_type("loss") == "Sum"
    assert found.node_inputs("scope/y") == ["mul"]
    assert "loss" in found.node_recipients("scope/y")
    assert found.node_exists("loss") and not found.node_exists("nowhere")
    assert found.get_tensors("loss", 0, "DebugIdentity") == [-np.inf]
    assert found.debug_watch_keys("loss") == ["loss:0:DebugIdentity"]
    assert found.get_rel_timestamps("loss", 0, "DebugIdentity")[0] > 0
    (path,) = found.get_tensor_file_paths("loss", 0, "DebugIdentity")
    assert found.get_dump_sizes_bytes("loss", 0, "DebugIdentity") == [os.path.getsize(path)]
    with pytest.raises(WatchKeyDoesNotExistInDebugDumpDirError, match='"a:0:DebugIdentity"'):
        found.get_tensors("a", 0, "DebugIdentity")
    with pytest.raises(LookupError, match="^Python graph is not available for traceback lookup$"):
        found.node_traceback("loss")
    found.set_python_graph(loss.graph)
    assert found.node_traceback("loss:0") == loss.op.traceback
    with pytest.raises(ValueError, match="session_root path points to a non-empty directory"):
        debug.DumpingDebugWrapperSession(tf.Session(), str(tmp_path))


@pytest.mark.reference
def test_tensorflow_reads_what_is_written(model, tmp_path, reference):
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
def test_the_first_infinity_stops_the_program(model, tmp_path, capsys, is_hook):
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
    first, given, where = text.splitlines()
    line = f"{__file__}:"
    assert first.startswith(f"has_inf_or_nan: tensor scope/y:0 of node scope/y (defined at {line}")
    assert "type Log: float32 [2], 1 of 2 elements are -inf, from " in first
    assert given.startswith("  its input mul:0: float32 [2], from 0 to ")
    assert where.startswith(f"  all tensors of the step: {root}")
    assert capsys.readouterr().out == f"{text}\n"
    assert dumped(root).find(debug.has_inf_or_nan)[0].node_name == "scope/y"


def test_filters_of_ones_own(model):
    x, loss, _ = model
    with debug.LocalCLIDebugWrapperSession(tf.Session()) as session:
        session.session.run(tf.global_variables_initializer())
        assert tf.get_default_session() is session
        seen = []
        session.add_tensor_filter("mine", lambda datum, value: seen.append(datum.node_name))
        session.run(loss, {x: [1.0, 0.0]})  # the filter for infinities is not among them
        assert seen[:2] == ["x", "v/read"]
        session.add_tensor_filter("has_inf_or_nan", debug.has_inf_or_nan)
        step = session.make_callable(loss, [x])
        assert step([1.0, 1.0]) == np.float32(np.log(2.0))
        with pytest.raises(tf.errors.InvalidArgumentError, match="tensor scope/y:0"):
            step([0.0, 1.0])
        with pytest.raises(ValueError, match="does not have a method called 'should_stop'"):
            session.should_stop()


def test_questions_at_a_terminal(model, monkeypatch, capsys):
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


def test_what_is_watched(model, tmp_path):
    x, loss, _ = model

    def watch(fetches, feeds):
        return debug.WatchOptions(node_name_regex_whitelist="scope|l", op_type_regex_whitelist="S")

    session = debug.DumpingDebugWrapperSession(tf.Session(), str(tmp_path), watch)
    session.session.run(tf.global_variables_initializer())
    session.run(loss, {x: [1.0, 1.0]})
    found = dumped(tmp_path)
    found.dumped_tensor_data.clear()  # the caller's list
    assert [datum.node_name for datum in found.dumped_tensor_data] == ["loss"]
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


@pytest.mark.parametrize(
    "value, found",
    [
        ([1.0, np.nan], True),
        ([1.0, np.inf], True),
        ([1.0, 2.0], False),
        ([1j * np.inf], True),
        ([1, 2], False),
        (np.array([b"nan"], object), False),
        (np.zeros([0]), False),
        (np.array([np.nan], tf.bfloat16.as_numpy_dtype), True),
    ],
)
def test_has_inf_or_nan(value, found):
    assert debug.has_inf_or_nan(None, np.array(value)) is found


@pytest.mark.parametrize("name, is_looked_at", [("Main.*", True), ("Thread", False)])
def test_steps_of_other_threads_are_not_looked_at(model, tmp_path, name, is_looked_at):
    x, loss, _ = model
    made = debug.DumpingDebugWrapperSession(
        tf.Session(), str(tmp_path / "dumped"), thread_name_filter=name
    )
    with made as session:
        session.session.run(tf.global_variables_initializer())
        session.run(loss, {x: [1.0, 2.0]})
    written = [name for _, _, files in os.walk(tmp_path / "dumped") for name in files]
    assert any(name.startswith("loss_") for name in written) is is_looked_at
    with debug.LocalCLIDebugWrapperSession(tf.Session(), thread_name_filter=name) as session:
        assert session._threads.pattern == name


@pytest.mark.parametrize(
    "options, wanted",
    [
        ({}, {"scope/y", "loss", "exp"}),
        ({"node_name_regex_whitelist": "lo|y"}, {"loss"}),
        ({"op_type_regex_whitelist": "um|Log"}, {"scope/y"}),
        ({"tensor_dtype_regex_whitelist": "int|32"}, set()),
        ({"node_name_regex_whitelist": "exp|loss", "op_type_regex_whitelist": "S"}, {"loss"}),
    ],
)
def test_patterns_fit_from_the_start(options, wanted):
    with tf.Graph().as_default():
        y = tf.log(tf.placeholder(tf.float32), name="scope/y")
        made = [y, tf.reduce_sum(y, name="loss"), tf.exp(y, name="exp")]
        fits = debug.WatchOptions(**options).fits
    assert {tensor.op.name for tensor in made if fits(tensor)} == wanted


def test_a_hook_writes_the_tensors_of_each_step(model, tmp_path):
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


def test_a_filter_that_a_hook_is_given(model, capsys):
    x, loss, _ = model
    hook = debug.LocalCLIDebugHook()
    hook.add_tensor_filter("large", lambda datum, value: datum.node_name == "loss")
    with pytest.raises(tf.errors.InvalidArgumentError, match="large: tensor loss:0"):
        with tf.train.SingularMonitoredSession([hook]) as session:
            session.run(loss, {x: [1.0, 1.0]})
    assert "large: tensor loss:0 of node loss" in capsys.readouterr().out


def test_questions_to_the_folder_of_a_step(model, tmp_path):
    x, loss, _ = model
    with debug.DumpingDebugWrapperSession(tf.Session(), str(tmp_path)) as session:
        session.session.run(tf.global_variables_initializer())
        session.run(loss, {x: [1.0, 3.0]})
    found = dumped(tmp_path)
    (device,) = found.devices()
    assert found.loaded_partition_graphs() and len(found.partition_graphs()) == 1
    assert found.node_attributes("loss")["T"].type == tf.float32.as_datatype_enum
    with pytest.raises(ValueError, match=r"None of the 1 device\(s\) has a node named 'nowhere'"):
        found.node_op_type("nowhere")
    assert found.nodes(device) == found.nodes()
    assert found.find(lambda datum, value: True, device_name="elsewhere") == []
    assert len(found.find(lambda datum, value: True, device_name=device)) == found.size
    (after,) = found.get_rel_timestamps("loss", 0, "DebugIdentity")
    (path,) = found.get_tensor_file_paths("loss", 0, "DebugIdentity")
    assert found.get_dump_sizes_bytes("loss", 0, "DebugIdentity") == [os.path.getsize(path)]
    (datum,) = found.watch_key_to_data("loss:0:DebugIdentity")
    assert after == datum.timestamp - found.t0
    assert found.debug_watch_keys("loss") == [datum.watch_key]
    assert str(datum.timestamp) in repr(datum) and "loss" in repr(datum)
    found.set_python_graph(tf.get_default_graph())
    assert found.python_graph is tf.get_default_graph()
    with pytest.raises(KeyError, match='Cannot find node "nowhere" in Python graph'):
        found.node_traceback("nowhere:0")


def test_a_folder_without_graphs(tmp_path):
    found = debug.DebugDumpDir(str(tmp_path))
    assert not found.loaded_partition_graphs() and found.t0 is None and found.size == 0
    with pytest.raises(LookupError, match="No partition graphs have been loaded"):
        found.partition_graphs()
    with pytest.raises(OSError, match="does not exist"):
        debug.DebugDumpDir(str(tmp_path / "nothing"))


@pytest.mark.parametrize("is_hook", [False, True])
def test_the_folder_of_a_stopped_step_says_which_it_was(model, tmp_path, capsys, is_hook):
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
    found = dumped(root)
    core = found.core_metadata
    assert (core.session_run_index, core.global_step, core.executor_step_index) == (3, -1, 0)
    assert (core.input_names, core.output_names, core.target_nodes) == (["x:0"], ["loss:0"], [])
    assert found.run_fetches_info == repr({"a": loss})
    assert found.run_feed_keys_info == repr({x: 0}.keys())
    (times,) = found.get_rel_timestamps("x", 0, "DebugIdentity")
    assert times == 0
    assert "has_inf_or_nan: tensor scope/y:0" in capsys.readouterr().out


def test_filters_are_asked_in_their_order_and_told_what_they_see(model, capsys):
    x, loss, _ = model
    session = debug.LocalCLIDebugWrapperSession(tf.Session())
    session.session.run(tf.global_variables_initializer())
    seen = []

    def tells(datum, value):
        if datum.node_name == "scope/y":
            seen.append((datum.output_slot, datum.tensor_name, datum.watch_key, datum.debug_op))
            seen.append((datum.device_name, value.shape))
        return False

    session.add_tensor_filter("tells", tells)
    session.add_tensor_filter("late", lambda datum, value: datum.node_name == "loss")
    with pytest.raises(tf.errors.InvalidArgumentError, match="^late: tensor loss:0"):
        session.run(loss, {x: [1.0, 2.0]})
    assert seen == [
        (0, "scope/y:0", "scope/y:0:DebugIdentity", "DebugIdentity"),
        ("", (2,)),
    ]
    session.add_tensor_filter("late", lambda datum, value: False)  # in place of the other
    assert session.run(loss, {x: [1.0, 1.0]}) == np.float32(np.log(2.0))
    assert capsys.readouterr().out.startswith("late: tensor loss:0 of node loss")
    session.close()


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
def test_a_value_in_a_few_words(value, text):
    found = value_text(value)
    assert text in found if text.startswith(",") else found == text
