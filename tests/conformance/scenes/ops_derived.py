"""Gradients of ops by graphs of known and of unknown shapes, and gradients of these."""

import zlib

import numpy as np

X = np.float32([[0.5, -1.5, 2.0], [1.0, 0.25, -0.5]])
Y = np.float32([[2.0, 0.5, -1.0]])


def _derive(tf, stage, cases, values, unknown=(None, None), both=False):
    """Gradients and theirs where shapes are not known: static shapes, nodes and their number, values.

    With `both` also gradients where shapes are known.
    """
    for name, function in cases.items():
        for known in (True, False)[not both :]:
            with tf.Graph().as_default() as graph, tf.Session() as session:
                given = [
                    tf.placeholder_with_default(v, v.shape if known else unknown) for v in values
                ]
                with stage.failing():
                    found = tf.nest.flatten(function(*given))
                    for order in range(1 if known else 2):
                        before = len(graph.get_operations())
                        grads = [g for g in tf.gradients(found, given) if g is not None]
                        nodes = [_said(n) for n in graph.get_operations()[before:]]
                        crc = zlib.crc32("\n".join(nodes).encode())
                        found = [tf.convert_to_tensor(g) for g in grads]
                        shown = [np.round(v, 3) + 0.0 for v in session.run(found)]
                        shapes = [str(each.shape) for each in found]
                        stage.say(name, known, order, *shapes, len(nodes), crc, *shown)
                        if not found:
                            break


def _said(node):
    return f"{node.name} {node.type} {[each.name for each in node.inputs]}"


def of_two(tf, stage):
    m = tf.math
    cases = {
        "div_no_nan": m.divide_no_nan,
        "maximum": tf.maximum,
        "squared": m.squared_difference,
        "atan2": m.atan2,
        "xdivy": m.xdivy,
    }
    _derive(tf, stage, cases, (X, Y), None, both=True)


def of_parts(tf, stage):
    cases = {
        "part_new": lambda x: x[0, tf.newaxis, ..., 1] ** 2,
        "sparse_mean": lambda x: tf.sparse.segment_mean(x, [0, 1, 0], [0, 0, 1]) ** 2,
    }
    _derive(tf, stage, cases, (X,))
