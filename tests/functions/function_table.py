"""Table of functions: what calls one, the state it uses, its control flow, and the order of a gradient.

TensorFlow's results for some rows are in `golden/function_table.json`; run by TensorFlow 1.15.5 in the project's
folder, this file regenerates them.
"""

import itertools
import json
from pathlib import Path

import numpy as np

RECORD = Path(__file__).parents[1] / "golden" / "function_table.json"
CALLS = ("function", "switch", "cond", "nested", "custom")
STATES = (
    *("none", "resource", "reference", "assign", "gather", "array", "random"),
    *("rows", "gathers", "gathers_ref", "embedding", "scatter"),
)
FLOWS = ("plain", "cond", "while", "case", "map")
ORDERS = (0, 1, 2)


def rows():
    """Every seventh row: all pairs of values from different columns."""
    names = ("/".join(map(str, row)) for row in itertools.product(CALLS, STATES, FLOWS, ORDERS))
    return list(names)[::7]


def _value(tf, state, x, v):
    if state == "none":
        return x * x * x
    if state in ("resource", "reference"):
        return x * x * v[0]
    if state == "assign":
        with tf.control_dependencies([v.assign_add(tf.ones([3, 3]))]):
            return x * x * v.read_value()[0]
    if state == "gather":
        return x * x * tf.reduce_sum(tf.gather(v, [0, 2, 0]) ** 2, 0)
    if state == "array":
        return tf.TensorArray(tf.float32, 3).unstack(x * x).stack() * x
    if state == "random":
        return x * x * tf.cast(tf.shape(tf.random.uniform([3]))[0], tf.float32)
    if state == "rows":
        return tf.gather(v, [0, 2, 0])[:, 0] * x
    if state == "embedding":
        return tf.nn.embedding_lookup(v, [2, 1, 2])[:, 1] ** 2 * x
    if state == "scatter":
        with tf.control_dependencies([tf.scatter_add(v, [0], tf.ones([1, 3]))]):
            return tf.gather(v, [0, 2, 0])[:, 0] * x
    return tf.reduce_sum(tf.gather(v, [0, 2, 0]) * tf.gather(v, [1, 1, 2]), 0) * x * x


def _flow(tf, flow, f, x):
    if flow == "cond":
        return tf.cond(tf.reduce_sum(x) > 0, lambda: f(x), lambda: x)
    if flow == "case":
        return tf.switch_case(tf.constant(1), [lambda: x, lambda: f(x), lambda: 2.0 * x])
    if flow == "while":
        return tf.while_loop(lambda i, y: i < 2, lambda i, y: (i + 1, f(y)), [0, x])[1]
    return f(x) if flow == "plain" else tf.map_fn(lambda e: e * 2.0, f(x))


def _call(tf, call, f, x):
    function = tf.function(f, autograph=False)
    if call == "function":
        return function(x)
    if call == "switch":
        return tf.switch_case(tf.constant(1), [lambda: -x, lambda: f(x)])
    if call == "cond":
        return tf.cond(tf.reduce_sum(x) > 0, lambda: f(x), lambda: -x)
    if call == "nested":
        return tf.function(lambda x: function(x) * 2.0, autograph=False)(x)

    @tf.custom_gradient
    def custom(x):
        return f(x), lambda dy: dy * 7.0 * x

    return tf.function(lambda x: custom(x) + 1.0, autograph=False)(x)


def result(tf, name):
    """A row's values: of the call and its gradients, or the error class."""
    call, state, flow, order = name.split("/")
    try:
        with tf.Graph().as_default():
            x = tf.constant([1.0, 2.0, 3.0])
            is_resource = state not in ("reference", "gathers_ref")
            ones = tf.ones_initializer()
            v = tf.get_variable("v", [3, 3], initializer=ones, use_resource=is_resource)
            y = _call(tf, call, lambda x: _flow(tf, flow, lambda x: _value(tf, state, x, v), x), x)
            fetches = [y]
            if order != "0":
                actual = tf.gradients(y, [x, v])
                fetches += actual + (tf.gradients(actual[0], [x, v]) if order == "2" else [])
            dense = [None if t is None else tf.convert_to_tensor(t) for t in fetches]
            with tf.Session() as session:
                session.run(tf.global_variables_initializer())
                values = iter(session.run([t for t in dense if t is not None]))
                return [None if t is None else np.round(next(values), 3).tolist() for t in dense]
    except Exception as error:
        return type(error).__name__


if __name__ == "__main__":
    import tensorflow

    record = {name: result(tensorflow, name) for name in rows()}
    lines = [f"{json.dumps(name)}: {json.dumps(value)}" for name, value in record.items()]
    RECORD.write_text("{\n" + ",\n".join(lines) + "\n}\n")
