"""Loops of imported function graphs."""

import numpy as np
import pytest

import tfmini as tf
from tests.executor.inline.test_inline_calls import imported, placeholder
from tests.support.models.function_graphs import (
    Func,
    add_function,
    add_node,
    new_graph_def,
)

F, INT = tf.float32, tf.int32


def test_loop_changes_undeclared_shape(session):
    message = new_graph_def(tf)
    placeholder(message, "x", F, [2])
    join = ("c", "ConcatV2", ["x", "x", "axis:output:0"], {"N": 2, "T": F, "Tidx": INT})
    add_function(
        tf, message, "Grow", [("x", F)], [("y", F, "c:output:0")], [("axis", np.int32(0)), join]
    )
    small = [
        ("s", "Size", ["x"], {"T": F, "out_type": INT}),
        ("k", np.int32(10)),
        ("l", "Less", ["s:output:0", "k:output:0"], {"T": INT}),
    ]
    add_function(tf, message, "Small", [("x", F)], [("y", tf.bool, "l:z:0")], small)
    add_node(tf, message.node, "c", "While", ["x"], T=[F], cond=Func("Small"), body=Func("Grow"))
    add_node(tf, message.node, "n", "Shape", ["c"], T=F, out_type=INT)
    y = imported(message)
    assert session.run([y, "n:0"], {"x:0": [1.0, 2.0]})[1].tolist() == [16]


@pytest.mark.parametrize(
    ("start", "limit", "delta", "total"), [(0, 4, 1, 6), (3, 3, 1, 0), (7, 0, -3, 12), (0, 5, 2, 6)]
)
def test_for_loop_ranges(start, limit, delta, total, session):
    message = new_graph_def(tf)
    for name in ("start", "limit", "delta", "x"):
        placeholder(message, name, INT, [])
    arguments = [("i", INT), ("x", INT)]
    add = ("n", "Add", ["x", "i"], {"T": INT})
    add_function(tf, message, "Step", arguments, [("y", INT, "n:z:0")], [add])
    inputs = ["start", "limit", "delta", "x"]
    add_node(tf, message.node, "c", "For", inputs, T=[INT], body=Func("Step"))
    feeds = dict(zip(("start:0", "limit:0", "delta:0", "x:0"), (start, limit, delta, 0)))
    assert session.run(imported(message), feeds) == total
