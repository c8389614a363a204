"""A workload that builds large graphs, for both sides; also runs under Python 3.7."""

import gc
import time
from statistics import median

from ci.commands.benchmarks.workloads import once

SMALL = 6000
LARGE = 600000
LARGE_BY_TENSORFLOW = 60000  # ten times as many would take minutes


@once
def large_graph(tf):
    """CPU seconds per node of a small graph, and the ratio for a large graph.

    CPU time, since only Python matters here; garbage collection is enabled, as in a program.
    """
    small = [build(tf, SMALL) for _ in range(7)]
    large = build(tf, LARGE if tf.__name__ == "tfmini" else LARGE_BY_TENSORFLOW)
    small += [build(tf, SMALL) for _ in range(7)]
    return {"node": median(small), "growth": large / median(small)}


def build(tf, nodes):
    """Builds a graph of this many nodes, four per iteration: CPU seconds per node."""
    gc.collect()
    with tf.Graph().as_default() as graph:
        begin = time.process_time()
        x = tf.placeholder(tf.float32, [None, 10])
        y = tf.placeholder(tf.float32, [None, 10])
        for _ in range(nodes // 4):
            x = tf.nn.relu(x * y + 1.0)
        spent = time.process_time() - begin
    return spent / len(graph.get_operations())
