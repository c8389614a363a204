"""RunMetadata: times and outputs of nodes, with fusion, loops, waiting steps, GPUs; costs."""

import time

import numpy as np
import pytest

import tfmini as tf
from tests.support.gpu.gpus import fake_gpus
from tests.support.waiting import once, waiting_in
from tfmini._src.base import proto
from tfmini._src.session import compile_step as compile_step_module
from tfmini._src.session.compile_step import compile_step

CPU = "/job:localhost/replica:0/task:0/device:CPU:0"
FULL = tf.RunOptions(trace_level=tf.RunOptions.FULL_TRACE)


def times(session, fetches, feed=None, options=FULL):
    metadata = tf.RunMetadata()
    result = session.run(fetches, feed, options, metadata)
    return result, metadata


def nodes(metadata, device=CPU):
    """The NodeExecStats of a device, in order."""
    (result,) = [stats for stats in metadata.step_stats.dev_stats if stats.device == device]
    return list(result.node_stats)


def test_options_without_timeout_keep_that_of_session():
    dequeue = tf.FIFOQueue(1, tf.float32).dequeue()
    with tf.Session(config=tf.ConfigProto(operation_timeout_in_ms=20)) as session:
        with pytest.raises(tf.errors.DeadlineExceededError, match="Timed out"):
            session.run(dequeue, None, FULL)


def test_nodes_report_times_and_outputs():
    x = tf.placeholder(tf.float32, [None, 3], name="x")
    y = tf.matmul(x, tf.ones([3, 4]), name="y")
    s = tf.strings.as_string(tf.reduce_sum(y, 1), name="s")
    with tf.Session() as session:
        before = time.time_ns()
        fetches = s, tf.reshape(x, [-1], name="forwarded")
        (result, _), metadata = times(session, fetches, {x: np.ones((2, 3))})
        after = time.time_ns()
    assert result.tolist() == [b"12.000000"] * 2
    results = {stats.node_name: stats for stats in nodes(metadata)}
    assert list(results) == ["y", "Sum", "s", "forwarded"]
    assert results["forwarded"].output and not results["forwarded"].memory
    stats = results["y"]
    assert stats.timeline_label == "y = MatMul(x, ones)"
    assert before <= stats.all_start_nanos and stats.all_end_rel_nanos > 0
    assert stats.all_start_micros == stats.all_start_nanos // 1000
    assert sum(each.all_end_rel_nanos for each in results.values()) < after - before
    (output,) = stats.output
    description = output.tensor_description
    assert description.dtype == tf.float32.as_datatype_enum
    assert [dim.size for dim in description.shape.dim] == [2, 4]
    assert description.allocation_description.requested_bytes == 32
    (memory,) = stats.memory
    assert (memory.allocator_name, memory.total_bytes) == ("cpu", 32)
    starts = [each.all_start_nanos for each in nodes(metadata)]
    assert starts == sorted(starts)
    v = tf.Variable([1.0, 2.0], use_resource=False)
    with tf.Session() as session:
        session.run(v.initializer)
        results = nodes(times(session, [v, v.assign_add([1.0, 1.0])])[1])
    described = [output.tensor_description for stats in results for output in stats.output]
    assert {description.dtype for description in described} == {tf.float32.as_datatype_enum}


def test_fused_group_reports_its_nodes():
    x = tf.placeholder(tf.float32, [512, 512])
    y = tf.tanh(tf.exp(tf.negative(x, name="n"), name="e") * 2.0 + x, name="t")
    with tf.Session() as session:
        plan = compile_step(session, y, [x])[0]
        assert [node.kind for node in plan.program.nodes].count("fused") == 1
        _, metadata = times(session, y, {x: np.ones((512, 512))})
    result = nodes(metadata)
    assert [stats.node_name for stats in result] == ["n", "e", "mul", "add", "t"]
    assert [len(stats.output) for stats in result] == [0, 0, 0, 0, 1]
    parts = [stats.all_end_rel_nanos for stats in result]
    assert max(parts) - min(parts) <= 1
    ends = [stats.all_start_nanos + stats.all_end_rel_nanos for stats in result]
    assert [stats.all_start_nanos for stats in result[1:]] == ends[:-1]


def test_loops_and_conds_report_nodes():
    x = tf.placeholder(tf.int32, [])
    count = tf.while_loop(lambda i: i < 3, lambda i: tf.add(i, 1, name="step"), [x])
    chosen = tf.cond(x > 0, lambda: tf.square(x, name="yes"), lambda: tf.negative(x, name="no"))
    with tf.Session() as session:
        (counted, value), metadata = times(session, [count, chosen], {x: 1})
    names = [stats.node_name for stats in nodes(metadata)]
    assert (counted, value) == (3, 1)
    assert names.count("while/step") == 2 and names.count("while/Less") == 3
    assert "cond/yes" in names and "cond/no" not in names


def test_trace_level_controls_metadata():
    y = tf.timestamp() + 1.0
    metadata = tf.RunMetadata()
    with tf.Session() as session:
        for options in (None, tf.RunOptions(), tf.RunOptions(trace_level=tf.RunOptions.NO_TRACE)):
            session.run(y, options=options, run_metadata=metadata)
            assert not metadata.ListFields()
        assert session.run(y, options=FULL) > 2.0  # no watcher
        for level in (tf.RunOptions.SOFTWARE_TRACE, tf.RunOptions.HARDWARE_TRACE):
            _, metadata = times(session, y, options=tf.RunOptions(trace_level=level))
            assert [stats.node_name for stats in nodes(metadata)] == ["Timestamp", "add"]
        _, again = times(session, y)
        session.run(y, run_metadata=again)
        assert not again.ListFields()


def test_traced_step_is_compiled_once_separately(monkeypatch):
    y = tf.placeholder_with_default(1.0, []) + 1.0
    with tf.Session() as session:
        compiled = []
        monkeypatch.setattr(
            compile_step_module,
            "compile_step",
            lambda *a: compiled.append(a) or compile_step(*a),
        )
        for _ in range(2):
            session.run(y)
            times(session, y)
        assert len(compiled) == 2


def test_traced_callables():
    x = tf.placeholder(tf.float32, [], name="x")
    tf.exp(x, name="e")
    options = proto.CallableOptions(feed=["x:0"], fetch=["e:0"], run_options=FULL)
    metadata = tf.RunMetadata()
    with tf.Session() as session:
        step = session._make_callable_from_options(options)
        assert step(0.0) == [1.0]
        assert step(0.0, run_metadata=metadata) == [1.0]
        assert [stats.node_name for stats in nodes(metadata)] == ["e"]
        step = session.make_callable("e:0", [x], accept_options=True)
        assert step(0.0, options=FULL, run_metadata=metadata) == 1.0
        assert [stats.node_name for stats in nodes(metadata)] == ["e"]


def test_traced_step_with_deadline_or_failure():
    x = tf.placeholder(tf.float32, [])
    options = tf.RunOptions(trace_level=tf.RunOptions.FULL_TRACE, timeout_in_ms=60_000)
    with tf.Session() as session:
        _, metadata = times(session, tf.exp(x, name="e"), {x: 1.0}, options)
        assert [stats.node_name for stats in nodes(metadata)] == ["e"]
        bad = tf.check_numerics(x, "bad", name="bad")
        with pytest.raises(tf.errors.InvalidArgumentError, match="node bad"):
            times(session, bad, {x: np.nan})


def test_traced_step_that_blocks():
    queue = tf.FIFOQueue(1, tf.float32, shapes=[()])
    taken = tf.exp(queue.dequeue(name="take"), name="e")
    put = queue.enqueue(1.0)
    with tf.Session() as session:

        def later():
            time.sleep(0.05)
            session.run(put)

        with once(lambda: waiting_in(session), later):
            _, metadata = times(session, taken)
    result = {stats.node_name: stats for stats in nodes(metadata)}
    assert {"take", "e"} <= set(result)
    assert result["take"].all_end_rel_micros > 1000 > 0


def test_cost_graph_is_built_on_request():
    x = tf.placeholder(tf.float32, [2], name="x")
    y = tf.reduce_sum(tf.exp(x, name="e"), name="y")
    config = tf.ConfigProto(graph_options=tf.GraphOptions(build_cost_model=1))
    metadata = tf.RunMetadata()
    with tf.Session(config=config) as session:
        session.run(y, {x: [1.0, 2.0]}, run_metadata=metadata)
    first, second = metadata.cost_graph.node
    assert (first.name, second.name, second.device) == ("e", "y", CPU)
    assert (first.output_info[0].size, second.output_info[0].size) == (8, 4)
    assert second.input_info[0].preceding_node == first.id
    assert first.compute_cost > 0
    options = tf.GraphOptions(build_cost_model=2, build_cost_model_after=1)
    with tf.Session(config=tf.ConfigProto(graph_options=options)) as session:
        results = []
        for _ in range(5):
            session.run(y, {x: [1.0, 2.0]}, run_metadata=metadata)
            results.append(metadata.HasField("cost_graph"))
    assert results == [False, False, True, False, True]
    one = tf.constant(1.0, name="one")
    with tf.Session() as session:
        _, metadata = times(session, one)
    assert [stats.node_name for stats in nodes(metadata)] == ["one"]


def test_traced_gpu_step():
    with fake_gpus(devices=1), tf.Session() as session:
        x = tf.placeholder(tf.float32, [100, 100], name="x")
        with tf.device("/gpu:0"):
            y = tf.matmul(x, x, name="y")
        _, metadata = times(session, y, {x: np.ones((100, 100))})
        gpu = CPU.replace("CPU", "GPU")
        (stats,) = nodes(metadata, gpu)
        assert stats.node_name == "y" and stats.memory[0].allocator_name == "GPU_0_bfc"
        kinds = [stats.node_name for stats in nodes(metadata, gpu + "/memcpy")]
        (kernel,) = nodes(metadata, "/device:GPU:0/stream:all")
        assert kernel.node_name == "y:MatMul"
        # By the fake's events, with a microsecond per launch.
        assert 1000 <= kernel.all_end_rel_nanos == kernel.op_end_rel_nanos <= 3000
        assert kinds == ["x:MEMCPYHtoD", "y:MEMCPYDtoH", "y:WaitForDtoH"]
