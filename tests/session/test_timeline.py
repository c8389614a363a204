"""Timeline: TensorFlow's events for the same StepStats, in the same order."""

import json

import tfmini as tf
from tests.session import timeline_cases
from tfmini._src.session import timeline


def test_timelines_match_tensorflow():
    golden = timeline_cases.read()
    message = golden.pop("metadata").encode("latin-1")
    result = timeline_cases.timelines(timeline, message, tf.RunMetadata.FromString)
    assert json.loads(json.dumps(result)) == golden
    kinds = {event["ph"] for event in result["traces"][0]["traceEvents"]}
    assert kinds == set("MXNODCst")


def test_timeline_of_real_run():
    with tf.Graph().as_default(), tf.Session() as session:
        x = tf.get_variable("x", [2, 3])
        y = tf.matmul(x, x, transpose_b=True, name="y")
        session.run(x.initializer)
        metadata = tf.RunMetadata()
        options = tf.RunOptions(trace_level=tf.RunOptions.FULL_TRACE)
        session.run(y, options=options, run_metadata=metadata)
    analysis = timeline.Timeline(metadata.step_stats).analyze_step_stats()
    (event,) = [e for e in analysis.chrome_trace.events if e["name"] == "MatMul"]
    assert event["args"] == {"name": "y", "op": "MatMul", "input0": "x/read", "input1": "x/read"}
    assert {"x/read", "y"} <= analysis.allocator_maximums["cpu"].tensors
    assert analysis.allocator_maximums["cpu"].num_bytes == 24 + 16
    pretty = analysis.chrome_trace.format_to_string(pretty=True)
    assert json.loads(pretty) == json.loads(analysis.chrome_trace.format_to_string())


def test_unparsable_labels():
    stats = tf.RunMetadata().step_stats
    node = stats.dev_stats.add(device="/device:CPU:0").node_stats.add(node_name="n")
    node.all_start_micros, node.timeline_label = 1, "strange"
    trace = json.loads(timeline.Timeline(stats).generate_chrome_trace_format())
    assert trace["traceEvents"][-1]["args"] == {"name": "n", "op": "unknown"}


def test_first_peak_wins_memory_tie():
    stats = tf.RunMetadata().step_stats
    device = stats.dev_stats.add(device="/job:localhost/replica:0/task:0/device:CPU:0")
    for start, label in ((1, "a = A()"), (10, "b = B(a)"), (20, "c = C()"), (30, "d = D(c)")):
        node = device.node_stats.add(
            node_name=label[0], timeline_label=label, all_start_micros=start, all_end_rel_micros=2
        )
        if label[0] in "ac":
            memory = node.output.add().tensor_description.allocation_description
            memory.allocator_name, memory.requested_bytes = "cpu", 8
    found = timeline.Timeline(stats).analyze_step_stats().allocator_maximums["cpu"]
    assert (found.timestamp, found.num_bytes, found.tensors) == (1, 8, {"a"})  # TensorFlow 1.15.5's
