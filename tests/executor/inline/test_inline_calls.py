"""Functions in imported graphs: attrs and shapes, loops, cases, recursion."""

import numpy as np
import pytest

import tfmini as tf
from tests.support.held_locks import waits_for
from tests.support.models.function_graphs import (
    Func,
    Placeholder,
    add_function,
    add_node,
    new_graph_def,
)

F, INT = tf.float32, tf.int32


def imported(message, fetch="c:0"):
    return tf.import_graph_def(message, return_elements=[fetch], name="")[0]


def placeholder(message, name, dtype=F, shape=None):
    add_node(tf, message.node, name, "Placeholder", dtype=dtype, shape=tf.TensorShape(shape))


def test_function_attrs_set_node_dtypes(session):
    message = new_graph_def(tf)
    double = ("sum", "Add", ["x", "x"], {"T": Placeholder("T")})
    add_function(
        tf, message, "Double", [("x", "T")], [("y", "T", "sum:z:0")], [double], attrs=["T"]
    )
    for name, dtype in (("a", F), ("b", INT)):
        placeholder(message, name, dtype)
        add_node(tf, message.node, f"c{name}", "Double", [name], T=dtype)
        attrs = {"Tin": [dtype], "Tout": [dtype], "f": Func("Double", T=dtype)}
        add_node(tf, message.node, f"d{name}", "PartitionedCall", [name], **attrs)
    tf.import_graph_def(message, name="")
    fetches = ["ca:0", "cb:0", "da:0", "db:0"]
    assert session.run(fetches, {"a:0": 1.5, "b:0": 4}) == [3.0, 8, 3.0, 8]


def test_nested_call_without_inputs_waits_for_call(session):
    v = tf.get_variable("v", initializer=1.0)
    inner = tf.function(lambda: tf.constant(3.0), autograph=False)
    outer = tf.function(lambda: inner() * inner(), autograph=False)
    with tf.control_dependencies([v.assign_add(1.0)]):
        result = outer()
    session.run(v.initializer)
    assert session.run([result, result]) == [9.0, 9.0] and session.run(v) == 2.0


def test_shapes_of_imported_calls():
    message = new_graph_def(tf)
    T = {"T": F, "N": 2}
    add_function(
        tf,
        message,
        "Join",
        [("x", F)],
        [("y", F, "p:output:0")],
        [("p", "Pack", ["x", "x"], {**T, "axis": 0})],
    )
    placeholder(message, "x", F, [3])
    add_node(tf, message.node, "c", "Join", ["x"])
    assert imported(message).shape.as_list() == [2, 3]


def test_control_outputs_are_executed(session):
    message = new_graph_def(tf)
    placeholder(message, "x")
    check = ("check", "EnsureShape", ["x"], {"T": F, "shape": tf.TensorShape([2])})
    result = add_function(
        tf, message, "F", [("x", F)], [("y", F, "one:output:0")], [check, ("one", np.float32(1))]
    )
    add_node(tf, message.node, "c", "PartitionedCall", ["x"], Tin=[F], Tout=[F], f=Func("F"))
    tf.import_graph_def(message, name="without")
    assert session.run("without/c:0", {"without/x:0": 3.0}) == 1.0
    result.control_ret["c"] = "check"
    result.signature.control_output.append("c")
    result.signature.name = message.node[1].attr["f"].func.name = "G"
    tf.import_graph_def(message, name="with")
    with pytest.raises(tf.errors.InvalidArgumentError, match="Shape of tensor"):
        session.run("with/c:0", {"with/x:0": 3.0})


def factorial(op, ends_somewhere=True):
    """n! as a recursive function with an If."""
    message = new_graph_def(tf)
    T = {"T": INT}
    n, y = [("n", INT)], lambda text: [("y", INT, text)]
    add_function(tf, message, "Base", n, y("one:output:0"), [("one", np.int32(1))])
    if op == "F":
        again = ("again", "F", ["less:z:0"])
        result = "again:y:0"
    else:
        again = ("again", op, ["less:z:0"], {"Tin": [INT], "Tout": [INT], "f": Func("F")})
        result = "again:output:0"
    step = [
        ("one", np.int32(1)),
        ("less", "Sub", ["n", "one:output:0"], T),
        again,
        ("product", "Mul", ["n", result], T),
    ]
    add_function(tf, message, "Step", n, y("product:z:0"), step)
    branches = {"then_branch": Func("Base"), "else_branch": Func("Step")}
    choice = [
        ("two", np.int32(2)),
        ("small", "Less", ["n", "two:output:0"], T),
        (
            "if",
            "If",
            ["small:z:0", "n"],
            {"Tcond": tf.bool, "Tin": [INT], "Tout": [INT], **branches},
        ),
    ]
    ends, always = y("if:output:0"), y("product:z:0")
    add_function(tf, message, "F", n, *((ends, choice) if ends_somewhere else (always, step)))
    placeholder(message, "n", INT, [])
    add_node(tf, message.node, "c", "F", ["n"])
    return imported(message)


@pytest.mark.parametrize("op", ["F", "PartitionedCall"])
def test_recursion_inside_branch(op, session):
    """As in TensorFlow, which runs functions on demand."""
    y = factorial(op)
    assert [session.run(y, {"n:0": n}) for n in (0, 1, 2, 5, 10)] == [1, 1, 2, 120, 3628800]
    assert session.run(y, {"n:0": 12}) == 479001600


def test_function_plan_is_compiled_under_its_lock(session):
    y = factorial("F")
    assert session.run(y, {"n:0": 3}) == 6
    called = session._inlined_graph._called_plans["F"][0]
    assert waits_for(called._lock, lambda: session.run(y, {"n:0": 4}))


@pytest.mark.parametrize("op", ["F", "PartitionedCall"])
def test_endless_recursion_is_reported(op, session):
    y = factorial(op, ends_somewhere=False)
    with pytest.raises(
        tf.errors.ResourceExhaustedError,
        match="Function 'F' exceeds the recursion limit of 10000 calls",
    ):
        session.run(y, {"n:0": 3})
    assert session.run(tf.constant(7)) == 7


def test_single_op_gradient(session):
    message = new_graph_def(tf)
    placeholder(message, "x")
    f = Func("Square", T=F)
    add_node(tf, message.node, "c", "SymbolicGradient", ["x", "x"], Tin=[F, F], Tout=[F], f=f)
    assert session.run(imported(message), {"x:0": 2.0}) == 8.0


def test_branch_gradients_do_not_remain_in_library(session):
    """Their functions are created only for the gradient computation."""
    message = new_graph_def(tf)
    x = [("x", F)]
    for name, op in (("Twice", "Add"), ("Times", "Mul")):
        node = ("n", op, ["x", "x"], {"T": F})
        add_function(tf, message, name, x, [("y", F, "n:z:0")], [node])
    branches = {"then_branch": Func("Twice"), "else_branch": Func("Times")}
    choice = [
        ("zero", np.float32(0)),
        ("small", "Less", ["x", "zero:output:0"], {"T": F}),
        ("if", "If", ["small:z:0", "x"], {"Tcond": tf.bool, "Tin": [F], "Tout": [F], **branches}),
    ]
    add_function(tf, message, "Choose", x, [("y", F, "if:output:0")], choice)
    placeholder(message, "x", F, [])
    add_node(tf, message.node, "c", "Choose", ["x"])
    y = imported(message)
    (slope,) = tf.gradients(y, y.op.inputs[0])
    assert session.run([slope, y], {"x:0": 3.0}) == [6.0, 9.0]
    assert session.run([slope, y], {"x:0": -3.0}) == [2.0, -6.0]
    assert set(tf.get_default_graph()._functions) == {"Twice", "Times", "Choose"}


def test_missing_function_fails_each_run(session):
    """As in TensorFlow, which resolves the functions of the whole graph."""
    message = new_graph_def(tf)
    placeholder(message, "x", F, [])
    add_function(tf, message, "Known", [("x", F)], [("y", F, "x")], [])
    attrs = {"Tin": [F], "Tout": [F]}
    add_node(tf, message.node, "c", "PartitionedCall", ["x"], f=Func("Missing"), **attrs)
    imported(message)
    for fetch in ("c:0", "x:0"):
        with pytest.raises(
            tf.errors.InvalidArgumentError,
            match='Failed to find function "Missing" in function library: it has Known',
        ):
            session.run(fetch, {"x:0": 1.0})


@pytest.mark.parametrize("count", [1, 2, 5])
def test_case_branches(count, session):
    message = new_graph_def(tf)
    placeholder(message, "x", F, [])
    placeholder(message, "which", INT, [])
    names = [f"F{i}" for i in range(count)]
    for i, name in enumerate(names):
        body = [("k", np.float32(10 * i)), ("n", "Add", ["x", "k:output:0"], {"T": F})]
        add_function(tf, message, name, [("x", F)], [("y", F, "n:z:0")], body)
    branches = [Func(name) for name in names]
    add_node(tf, message.node, "c", "Case", ["which", "x"], Tin=[F], Tout=[F], branches=branches)
    y = imported(message)
    for which in range(-1, count + 2):
        want = 1 + 10 * (which if 0 <= which < count else count - 1)
        assert session.run(y, {"x:0": 1.0, "which:0": which}) == want


def test_remote_call(session):
    message = new_graph_def(tf)
    placeholder(message, "x", F, [])
    placeholder(message, "t", tf.string, [])
    add_function(tf, message, "Same", [("x", F)], [("y", F, "x")], [])
    attrs = {"Tin": [F], "Tout": [F], "f": Func("Same")}
    add_node(tf, message.node, "c", "RemoteCall", ["t", "x"], **attrs)
    y = imported(message)
    for here in ("/job:localhost/replica:0/task:0/device:CPU:0", "/cpu:0", ""):
        assert session.run(y, {"t:0": here, "x:0": 3.0}) == 3.0
    with pytest.raises(
        tf.errors.InvalidArgumentError, match="Could not parse nowhere into a device specification."
    ):
        session.run(y, {"t:0": "nowhere", "x:0": 3.0})
