"""Runs a graph exported by the other implementation: imports it, fetches and feeds by name.

`python -m tests.support.programs.replay FOLDER` runs the golden steps of program NAME on every NAME.pb there, a
GraphDef, and writes the results to NAME.json; tests/test_reference.py runs it with the reference on graphs that
tfmini built.
"""

import json
import os
import sys

import numpy as np

from tests.support.programs import comparing, recording

# The reference's own package; tfmini's tests import this module for `replay` and pass theirs.
if __name__ == "__main__":
    import tensorflow
    import tensorflow.contrib.rnn
    import tensorflow.contrib.seq2seq


def replay(tf, graph, steps):
    """Imports the serialized GraphDef and runs the steps; returns a list of each step's fetched leaves."""
    graph_def = tf.GraphDef.FromString(graph)
    with tf.Graph().as_default():
        tf.import_graph_def(graph_def, name="")
        with recording.session(tf, {}) as sess:
            return [fetch_leaves(sess, step) for step in steps]


def fetch_leaves(sess, step):
    feeds = {name: fetch_array(sess, name, value) for name, value in step["feeds"].items()}
    return [recording.plain(value) for value in sess.run(step["fetches"], feed_dict=feeds)]


def fetch_array(sess, name, value):
    dtype = sess.graph.get_tensor_by_name(name).dtype.as_numpy_dtype
    items = [i["bytes"].encode("latin1") if isinstance(i, dict) else i for i in value["data"]]
    return np.array(items, dtype).reshape(value["shape"])


def programs():
    """Names of the programs whose graphs another process can run."""
    names = recording.names_in("conformance/recorded_programs")
    return [name for name in names if "\nREPLAYABLE = False" not in recording.source(name)]


def golden_steps(name):
    """The program's golden steps before the first that only the program itself can run."""
    steps = recording.read(recording.recording_path(name))["steps"]
    until = next((n for n, step in enumerate(steps) if "fetches" not in step), len(steps))
    return steps[:until]


def differences(steps, made, tolerance):
    """Readable differences between the golden steps and the results of `replay`."""
    lines = []
    for step, leaves in zip(steps, made):
        expected = recording.leaves(step["value"])
        actual = comparing.value_differences(expected, leaves, tolerance, "")
        lines += [f"{step['label']!r}{line}" for line in actual[:5]]
    return lines


def results(folder, name):
    """The record of program NAME written by `main`."""
    with open(os.path.join(folder, name + ".json")) as file:
        return json.load(file)


def main(tf, folder):
    for file in sorted(os.listdir(folder)):
        name, extension = os.path.splitext(file)
        if extension == ".pb":
            with open(os.path.join(folder, file), "rb") as graph:
                result = replay(tf, graph.read(), golden_steps(name))
            with open(os.path.join(folder, name + ".json"), "w") as out:
                json.dump(result, out)


if __name__ == "__main__":
    main(tensorflow, sys.argv[1])
