"""Gradients of function-calling ops, and errors of invalid calls."""

import numpy as np
import pytest

import tfmini as tf
from tests.conformance.samples.functions import CASES, IF, called
from tests.support.models.function_graphs import Func, add_function, add_node, new_graph_def

X = np.array([[1.0, -2.0, 3.0]], "f")
F = tf.float32


def branched(op, condition, x, **attrs):
    """The result, for these tensors, of a node that selects a function."""
    (result,) = called(op, [condition, X], **attrs)(tf)
    result.op._update_input(1, x)
    return result


@pytest.mark.parametrize("op", ["If", "StatelessIf", "Case"])
@pytest.mark.parametrize("taken", [0, 1])
def test_gradients_flow_through_taken_branch(op, taken):
    x = tf.placeholder(F, [1, 3])
    floats = {"Tout": lambda tf: [F]}
    if op == "Case":
        y = branched(op, np.int32(taken), x, **CASES, **floats)
    else:
        y = branched(op, np.bool_(not taken), x, **IF, **floats, Tcond=lambda tf: tf.bool)
    (gradient,) = tf.gradients(y * y, x)
    factor = -1 if taken else 2
    with tf.Session() as session:
        value, result = session.run([y, gradient], {x: X})
    np.testing.assert_allclose(value, factor * X)
    np.testing.assert_allclose(result, 2 * factor**2 * X)


def test_gradients_flow_through_random_branch():
    message = new_graph_def(tf)
    x = [("x", F)]
    for name in ("draw", "other"):
        draw = [
            ("shape", np.array([2], np.int32)),
            ("u", "RandomUniform", ["shape:output:0"], {"T": tf.int32, "dtype": F}),
            ("y", "Add", ["x", "u:output:0"], {"T": F}),
        ]
        add_function(tf, message, name, x, [("r", F, "y:z:0")], draw, stateful=True)
    attrs = {"then_branch": Func("draw"), "else_branch": Func("other"), "Tcond": tf.bool}
    add_node(tf, message.node, "if", "If", ["p", "x"], Tin=[F], Tout=[F], **attrs)
    add_node(tf, message.node, "p", "Placeholder", dtype=tf.bool)
    add_node(tf, message.node, "x", "Placeholder", dtype=F)
    x, y = tf.import_graph_def(message, return_elements=["x:0", "if:0"], name="")
    (gradient,) = tf.gradients(y * y, x)
    with tf.Session() as session:
        for taken in (True, False):
            value, result = session.run([y, gradient], {"p:0": taken, x: [1.0, 2.0]})
            np.testing.assert_allclose(result, 2 * value)
