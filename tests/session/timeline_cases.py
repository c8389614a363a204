"""TensorFlow's step statistics and their timelines, written by its `python -m tests.session.timeline_cases`."""

import json

from tests.support import goldens

FILE = goldens.golden_path("timeline.json.xz")


def timelines(timeline, message, parse):
    """The timelines of a RunMetadata, and its allocators' maxima."""
    traces = [
        json.loads(
            timeline.Timeline(parse(message).step_stats).generate_chrome_trace_format(flow, memory)
        )
        for flow in (True, False)
        for memory in (True, False)
    ]
    found = timeline.Timeline(parse(message).step_stats).analyze_step_stats().allocator_maximums
    maxima = {
        name: [most.timestamp, most.num_bytes, sorted(most.tensors)] for name, most in found.items()
    }
    return {"traces": traces, "maxima": maxima}


def write():
    import numpy as np  # noqa: PLC0415
    import tensorflow as tf  # noqa: PLC0415
    from tensorflow.python.client import timeline  # noqa: PLC0415

    x = tf.placeholder(tf.float32, [None, 4], name="x")
    w = tf.get_variable("w", [4, 3])
    y = tf.nn.relu(tf.matmul(x, w), name="y")
    with tf.device("/cpu:1"):
        loss = tf.reduce_sum(y * y, name="loss")
    train = tf.train.GradientDescentOptimizer(0.1).minimize(loss)
    metadata = tf.RunMetadata()
    options = tf.RunOptions(trace_level=tf.RunOptions.FULL_TRACE)
    with tf.Session(config=tf.ConfigProto(device_count={"CPU": 2})) as session:
        session.run(tf.global_variables_initializer())
        feed = {x: np.ones((2, 4))}
        session.run([train, loss], feed, options=options, run_metadata=metadata)
    physical = metadata.step_stats.dev_stats.add(device="/device:GPU:0/stream:1")
    start = metadata.step_stats.dev_stats[0].node_stats[0].all_start_micros
    physical.node_stats.add(node_name="y:Relu", all_start_micros=start, all_end_rel_micros=5)
    physical.node_stats.add(node_name="alone", all_start_micros=start + 2, all_end_rel_micros=5)
    message = metadata.SerializeToString()
    result = timelines(timeline, message, tf.RunMetadata.FromString)
    result["metadata"] = message.decode("latin-1")
    goldens.write(FILE, result, sort_keys=True)


def read():
    return goldens.read(FILE)


if __name__ == "__main__":
    write()
