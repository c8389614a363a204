"""Runs single-op graphs with TensorFlow 1.15.5 in child processes, because some of them crash.

`python -m tests.support.oracles.sample_values FOLDER` reads every NAME.pb there, a pickled tuple, and writes the
pickled result, or an error's text, to NAME.out.

    (graph, steps)             runs the steps, lists of names to fetch, in order in one session; returns the
                               last one's list of (dtype, shape, bytes or a list)
    (graph, outputs, inputs)   adds the gradients of the outputs, and the gradients of those
"""

import importlib
import os
import pickle
import sys
import warnings

import numpy as np

# The reference's own package: tfmini's tests import this module for `unpack`.
if __name__ == "__main__":
    import tensorflow as tf

    importlib.import_module("tensorflow.contrib.rnn")  # registers gradients of single-op cells


def pack(value):
    """An array as plain data for every NumPy version; unusual dtypes as bits."""
    array = np.asarray(value, object if isinstance(value, bytes) else None)  # with trailing zeros
    if array.dtype.kind in "OSU":
        return "O", array.shape, [v if isinstance(v, bytes) else v.encode() for v in array.flat]
    array = bits(array)
    return array.dtype.str, array.shape, array.tobytes()


def bits(array):
    """Values of a non-NumPy dtype (quantized, bfloat16) as unsigned integers."""
    if array.dtype.kind == "V":
        return array.view(f"u{array.dtype.itemsize}")
    return array


def unpack(item):
    dtype, shape, data = item
    if dtype == "O":
        return np.array([*data, None], object)[:-1].reshape(shape)
    return np.frombuffer(data, dtype).reshape(shape)


def run(graph, steps):
    with tf.Graph().as_default(), tf.compat.v1.Session() as session:
        tf.import_graph_def(tf.compat.v1.GraphDef.FromString(graph), name="")
        for step in steps:
            got = session.run(step)
    return [pack(value) for value in got if value is not None]


def with_gradients(tf, graph, outputs, inputs):
    """The serialized GraphDef with first and second gradients, and which of the two failed."""
    failed = []
    with tf.Graph().as_default() as whole, warnings.catch_warnings():
        warnings.simplefilter("ignore")  # sparse gradients of unknown shape become dense
        tf.import_graph_def(tf.GraphDef.FromString(graph), name="")
        inputs = [whole.get_tensor_by_name(name) for name in inputs]
        result = [whole.get_tensor_by_name(name) for name in outputs]
        for order in (1, 2):
            try:
                result = [g for g in tf.gradients(result, inputs) if isinstance(g, tf.Tensor)]
            except Exception:
                failed.append(order)
                break
            if not result:
                break
        return whole.as_graph_def().SerializeToString(), failed


def run_all(paths):
    """Runs all rows and writes their results."""
    for path in paths:
        with open(path, "rb") as file:
            row = pickle.load(file)
        try:
            result = run(*row) if len(row) == 2 else with_gradients(tf, *row)
        except Exception as error:
            result = f"{type(error).__name__}: {error}"
        with open(output(path), "wb") as out:
            pickle.dump(result, out, protocol=4)


def output(path):
    return path[: -len("pb")] + "out"


def main(folder):
    """Runs all rows in a child process; after a crash, continues with the next row in a new process."""
    paths = [os.path.join(folder, n) for n in sorted(os.listdir(folder)) if n.endswith(".pb")]
    while paths:
        child = os.fork()
        if not child:
            run_all(paths)
            os._exit(0)
        os.waitpid(child, 0)
        left = [path for path in paths if not os.path.exists(output(path))]
        paths = left[1:]


if __name__ == "__main__":
    main(sys.argv[1])
