"""tf.profiler: TensorFlow's reports and messages for the same graphs, options and times."""

import os

import pytest

import tfmini as tf
from tests.train.profiler import profile_cases
from tfmini._src.base import proto

GOLDEN = profile_cases.read()


@pytest.fixture(scope="module")
def profiles():
    return profile_cases.profiles(tf)


@pytest.mark.parametrize("name", GOLDEN)
def test_reports_match_tensorflow(profiles, name):
    # Equal numbers have the order of an unstable sort.
    ours, theirs = (sorted(created[name][0].splitlines()) for created in (profiles, GOLDEN))
    assert ours == theirs


@pytest.mark.parametrize("name", GOLDEN)
def test_messages_match_tensorflow(profiles, name):
    ours, theirs = (sorted(created[name][1].splitlines()) for created in (profiles, GOLDEN))
    assert ours == theirs


def test_float_operations_of_every_op_type():
    """TensorFlow's counts for one node of each type, recorded by `ci/record`."""
    counts = profile_cases.read_counts()
    result = profile_cases.counts(tf)
    assert {name: result.get(name) for name in counts} == counts
    assert len(counts) > 40


def test_file_and_null_outputs(tmp_path, capsys):
    with tf.Graph().as_default() as graph:
        profile_cases.build(tf)
    builder = tf.profiler.ProfileOptionBuilder(
        tf.profiler.ProfileOptionBuilder.trainable_variables_parameter()
    )
    path = tmp_path / "report"
    tf.profiler.profile(graph, options=builder.with_file_output(str(path)).build())
    profile = tf.profiler.profile(graph, options=builder.with_empty_output().build())
    assert capsys.readouterr().out == "Parsing Inputs...\n" * 2
    assert "    layer/b (6, 6/6 params)\n" in path.read_text()
    assert profile.total_parameters == 6 + 162 + 960
    with graph.as_default():
        tf.Variable(1.0, trainable=False, name="extra")
    profile = tf.profiler.profile(graph, cmd="op", options=builder.select(["params", "zz"]).build())
    assert profile.total_parameters == 6 + 162 + 960
    assert not tf.profiler.profile(graph, options=builder.with_step(3).build()).name
    tf.profiler.write_op_log(graph, str(tmp_path))
    log = tf.profiler.OpLogProto.FromString((tmp_path / "tfprof_log").read_bytes())
    (entry,) = [entry for entry in log.log_entries if entry.name == "layer/b"]
    assert list(entry.types) == ["_trainable_variables"]
    files = [log.id_to_string[trace.file_id] for trace in entry.code_def.traces]
    assert profile_cases.__file__ in files
    assert log.id_to_string[0] == "none" and len(set(files)) < len(log.id_to_string)


def test_profiled_step_times():
    with tf.Graph().as_default() as graph, tf.Session() as session:
        x = tf.placeholder(tf.float32, [None, 3], name="x")
        with tf.name_scope("scope"):
            y = tf.matmul(x, tf.ones([3, 2]), name="y")
        profiler = tf.profiler.Profiler(graph)
        options = tf.RunOptions(trace_level=tf.RunOptions.FULL_TRACE)
        for step, rows in ((1, 2), (2, 4)):
            metadata = tf.RunMetadata()
            session.run(y, {x: [[1.0, 2.0, 3.0]] * rows}, options, metadata)
            profiler.add_step(step, metadata)
    shown = tf.profiler.ProfileOptionBuilder(tf.profiler.ProfileOptionBuilder.time_and_memory())
    options = shown.with_empty_output().build()
    (scope,) = profiler.profile_name_scope(options).children
    (node,) = scope.children
    assert (scope.name, node.name) == ("scope", "scope/y")
    assert (node.run_count, node.requested_bytes) == (1, (16 + 32) // 2)
    assert node.exec_micros >= 1
    (kind,) = profiler.profile_operations(shown.with_step(2).build() | {"output": "none"}).children
    assert (kind.name, kind.requested_bytes) == ("MatMul", 32)
    profile = tf.profiler.profile(graph, metadata, options=options)
    assert profile.total_requested_bytes == 32


def test_invalid_options():
    builder = tf.profiler.ProfileOptionBuilder
    with tf.Graph().as_default():
        with pytest.raises(tf.errors.InvalidArgumentError, match="^unknown cmd: lines\n"):
            tf.profiler.profile(cmd="lines")
        for options in (
            builder().with_timeline_output("x"),
            builder().with_pprof_output("x"),
            builder().select(["tensor_value"]),
        ):
            with pytest.raises(tf.errors.UnimplementedError, match="profile"):
                tf.profiler.profile(options=options.build())


def test_advisor(capsys):
    graph = tf.Graph()
    with graph.as_default():
        profile_cases.build(tf)
    profiler = tf.profiler.Profiler(graph)
    metadata = profile_cases.metadata(tf)
    profiler.add_step(1, metadata)
    for advise, *arguments in ((tf.profiler.advise, graph, metadata), (profiler.advise, {})):
        result = advise(*arguments)
        (report,) = result.checkers["ExpensiveOperationChecker"].reports
        assert report.splitlines() == [
            "top 1 operation type: Conv2D, cpu: 2.50sec, accelerator: 0us, total: 2.50sec (99.94%)",
            "top 2 operation type: MatMul, cpu: 1.55ms, accelerator: 0us, total: 1.55ms (0.06%)",
            "top 3 operation type: Relu, cpu: 12us, accelerator: 0us, total: 12us (0.00%)",
        ]
        out = capsys.readouterr().out.replace("Parsing Inputs...\n", "")
        assert out == f"ExpensiveOperationChecker:\n{report}\n\n"
    with pytest.raises(tf.errors.UnimplementedError, match="OperationChecker; there is Expensive"):
        profiler.advise({"OperationChecker": {}})
    whole = proto.ProfileProto.FromString(profiler.serialize_to_string())
    (node,) = [node for node in whole.nodes.values() if node.name == "out/y"]
    assert (node.op, node.float_ops, list(whole.steps)) == ("MatMul", 15360, [1])


def test_code_view():
    with tf.Graph().as_default() as graph:
        first = tf.get_variable("first", [2, 3])
        tf.gradients(tf.reduce_sum(tf.matmul(first, tf.ones([3, 1])), name="sum"), first)
    profiler = tf.profiler.Profiler(graph)
    options = tf.profiler.ProfileOptionBuilder.trainable_variables_parameter()
    shown = tf.profiler.ProfileOptionBuilder(options).with_empty_output()
    names = shown.with_node_names(show_name_regexes=[f"{os.path.basename(__file__)}:.*"]).build()
    (line,) = profiler.profile_python(names).children
    assert line.name.startswith("test_profiler.py:")
    assert line.total_parameters == 6
    deep = tf.Graph()
    with deep.as_default():
        value = tf.constant(1.0)
        for _ in range(3000):
            value = tf.identity(value)
    profile = tf.profiler.profile(deep, cmd="graph", options={**options, "output": "none"})
    assert profile.total_parameters == 0


def test_model_analyzer_alias(capsys):
    analyzer = tf.contrib.tfprof.model_analyzer
    with tf.Graph().as_default() as graph:
        profile_cases.build(tf)
    analysis = analyzer.print_model_analysis(
        graph, tfprof_options=analyzer.TRAINABLE_VARS_PARAMS_STAT_OPTIONS
    )
    assert analysis.total_parameters == 6 + 162 + 960
    assert "    layer/b (6, 6/6 params)\n" in capsys.readouterr().out
    assert analyzer.FLOAT_OPS_OPTIONS["order_by"] == "float_ops"
    assert "min_peak_bytes" not in analyzer.PRINT_ALL_TIMING_MEMORY


def test_op_log_counts_float_operations(tmp_path, capsys):
    with tf.Graph().as_default() as graph:
        a, b = tf.placeholder(tf.float32, [None, 3]), tf.placeholder(tf.float32, [3, 2])
        for left in (a, a, tf.ones([2, 3])):
            tf.matmul(left, b)
    tf.profiler.write_op_log(graph, str(tmp_path))
    assert capsys.readouterr().err == "2 ops no flops stats due to incomplete shapes.\n"
