"""Functions inlined when a branch needs them."""

import numpy as np
import pytest

import tfmini as tf
from tests.support.models.function_graphs import Func, add_function, add_node, new_graph_def


def recursive(message):
    """Total(n) of an int32: 1 if n < 2, else n + Total(n - 1)."""
    integer = tf.int32
    one = ("one", np.int32(1))
    add_function(tf, message, "One", [("n", integer)], [("y", integer, "one:output:0")], [one])
    nodes = [
        one,
        ("less", "Sub", ["n", "one:output:0"], {"T": integer}),
        ("call", "Total", ["less:z:0"], {}),
        ("y", "Add", ["n", "call:y:0"], {"T": integer}),
    ]
    add_function(tf, message, "Step", [("n", integer)], [("y", integer, "y:z:0")], nodes)
    attrs = {"Tcond": tf.bool, "Tin": [integer], "Tout": [integer]}
    branches = {"then_branch": Func("One"), "else_branch": Func("Step")}
    nodes = [
        one,
        ("stop", "LessEqual", ["n", "one:output:0"], {"T": integer}),
        ("y", "If", ["stop:z:0", "n"], {**attrs, **branches}),
    ]
    add_function(tf, message, "Total", [("n", integer)], [("y", integer, "y:output:0")], nodes)
    add_node(tf, message.node, "n", "Placeholder", dtype=integer, shape=tf.TensorShape([]))
    add_node(tf, message.node, "c", "Total", ["n"])
    return tf.import_graph_def(message, return_elements=["c:0"], name="")[0]


@pytest.mark.parametrize("target", ["", "server"])
def test_recursion_a_thousand_calls_deep(target):
    result = recursive(new_graph_def(tf))
    if target:
        server = tf.train.Server.create_local_server()
        target = server.target
    with tf.Session(target) as session:
        assert session.run(result, {"n:0": 1000}) == 500_500
