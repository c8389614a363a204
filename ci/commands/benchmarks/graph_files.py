"""A workload on graph files, for both sides; also runs under Python 3.7."""

import os
import tempfile
import time

from ci.commands.benchmarks.workloads import once

LAYERS = 350  # with Adam and a Saver 20,000 nodes


def deep_network(tf):
    """LAYERS layers, their training and a Saver."""
    hidden = tf.placeholder(tf.float32, [None, 16], name="x")
    for i in range(LAYERS):
        with tf.variable_scope(f"layer{i}"):
            weights = tf.get_variable("w", [16, 16])
            bias = tf.get_variable("b", [16], initializer=tf.zeros_initializer())
            hidden = tf.nn.relu(tf.matmul(hidden, weights) + bias)
    tf.train.AdamOptimizer().minimize(tf.reduce_sum(hidden))
    return tf.train.Saver()


@once
def meta_graph(tf):
    """Writes a meta graph of 20,000 nodes and reads it into a new graph: seconds of each, the second time."""
    path = os.path.join(tempfile.mkdtemp(), "model.meta")
    with tf.Graph().as_default() as graph:
        saver = deep_network(tf)
        saver.export_meta_graph(path)
        exported = seconds(lambda: saver.export_meta_graph(path))
    assert len(graph.get_operations()) > 19900
    imported = [seconds(lambda: in_a_new_graph(tf, path)) for _ in range(2)][1]
    return {"import": imported, "export": exported}


def in_a_new_graph(tf, path):
    with tf.Graph().as_default():
        tf.train.import_meta_graph(path)


def seconds(work):
    begin = time.perf_counter()
    work()
    return time.perf_counter() - begin
