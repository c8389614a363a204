"""Calls of functions in a graph that is run: names, effects, errors, functions that call themselves."""

import numpy as np
import pytest

import tfmini as tf
from tests.function_graphs import Func, Placeholder, add_function, add_node, new_graph_def
from tfmini.compat.python.framework import function
from tfmini.runtime.inline import Inlined

F, INT = tf.float32, tf.int32
HERE = __file__


@pytest.fixture(autouse=True)
def _fresh_graph():
    with tf.Graph().as_default():
        yield


@pytest.fixture
def session(_fresh_graph):
    with tf.Session() as session:
        yield session


def inlined_nodes(session):
    """The nodes of the graph that the session runs, by name."""
    return session._inlined.update()._nodes_by_name


def test_a_graph_without_calls_is_run_as_it_is():
    tf.constant(1)
    graph = tf.get_default_graph()
    assert Inlined(graph, None, {}).update() is graph


def test_nodes_of_a_body_are_named_below_the_call(session):
    @function.Defun(F, func_name="Inner")
    def inner(x):
        with tf.name_scope("deep"):
            return tf.sqrt(x, name="root")

    @function.Defun(F, func_name="Outer")
    def outer(x):
        return inner(x, name="first") + inner(x, name="second")

    with tf.name_scope("scope"):
        outer(tf.constant(4.0), name="call")
    nodes = inlined_nodes(session)
    assert {"scope/call/first/deep/root", "scope/call/second/deep/root"} <= set(nodes)
    assert not any(op.opdef.is_function for op in nodes.values())


def line_of(text):
    with open(HERE) as file:
        return next(n for n, line in enumerate(file, 1) if text in line)


def test_an_error_names_the_node_its_line_and_the_line_of_the_call(session):
    @function.Defun(F, func_name="Checked")
    def checked(x):
        return tf.check_numerics(x, "is it a number", name="check")  # the line in the body

    @function.Defun(F, func_name="Outer")
    def outer(x):
        return checked(x, name="inner")  # the inner call

    y = outer(tf.log(tf.placeholder_with_default(-1.0, [])), name="call")  # the outer call
    with pytest.raises(tf.errors.InvalidArgumentError) as failed:
        session.run(y)
    lines = failed.value.message.split("\n\t ")
    assert lines == [
        "is it a number : Tensor had NaN values",
        f"[[node call/inner_0/check_0 (defined at {HERE}:{line_of('# the line in the body')})]]",
        f"[[call/inner_0 (defined at {HERE}:{line_of('# the inner call')})]]",
        f"[[call (defined at {HERE}:{line_of('# the outer call')})]]",
    ]
    assert failed.value.op is None and failed.value.node_def is None


def test_an_error_beside_a_call_has_the_programs_node(session):
    @function.Defun(F)
    def same(x):
        return x

    bad = tf.check_numerics(tf.log(same(-1.0)), "bad", name="bad")
    with pytest.raises(tf.errors.InvalidArgumentError) as failed:
        session.run(bad)
    assert failed.value.op is bad.op
    assert failed.value.node_def.name == "bad"


def counting(calls, tag):
    """A node that notes when it runs; nobody has to ask for its result."""
    return tf.py_func(lambda: calls.append(tag) or np.float32(1), [], F)


def test_effects_of_a_call_come_with_any_of_its_results(session):
    calls = []

    @function.Defun(F)
    def heard(x):
        counting(calls, "heard")
        return x + 1.0, x * 2.0

    first, second = heard(tf.constant(3.0))
    fed = second * 2.0
    session.run([first, second])
    assert calls == ["heard"]
    session.run(second)
    session.run(first.op)
    assert calls == ["heard"] * 3
    assert session.run(fed, {second: 5.0}) == 10.0
    session.run(tf.constant(1))
    assert calls == ["heard"] * 3


def test_effects_in_a_branch_wait_for_it_to_be_taken(session):
    calls = []

    @function.Defun(F)
    def heard(x):
        counting(calls, "heard")
        return x + 1.0

    go = tf.placeholder(tf.bool, [])
    y = tf.cond(go, lambda: heard(2.0), lambda: 0.0)
    assert session.run(y, {go: False}) == 0.0
    assert calls == []
    assert session.run(y, {go: True}) == 3.0
    assert calls == ["heard"]


def test_effects_in_a_loop_come_each_time(session):
    calls = []

    @function.Defun(INT)
    def heard(x):
        counting(calls, "heard")
        return x + 1

    y = tf.while_loop(
        lambda i: i < 4, lambda i: heard(i), [0], shape_invariants=[tf.TensorShape(None)]
    )
    assert session.run(y) == 4
    assert len(calls) == 4


def test_two_calls_of_a_function_with_a_loop_are_two_loops(session):
    @function.Defun(INT, INT)
    def power(x, times):
        x.set_shape([])
        return tf.while_loop(lambda i, _: i < times, lambda i, v: (i + 1, v * x), (0, 1))[1]

    assert session.run([power(2, 10), power(3, 4), power(power(2, 2), 3)]) == [1024, 81, 64]


def test_a_graph_may_gain_calls_after_a_run(session):
    total = tf.get_variable("total", [], initializer=tf.zeros_initializer(), use_resource=True)
    draw = tf.random_uniform([], seed=4)
    session.run(total.initializer)
    session.run(total.assign_add(1.0))
    before = session.run(draw)
    cached = draw + 1.0
    session.run(cached)

    @function.Defun(F)
    def doubled(x):
        return x * 2.0

    y = doubled(total)
    assert session.run(y) == 2.0
    assert session.run(doubled(y)) == 4.0
    assert session.run(draw) != before
    with tf.Session() as other:
        want = [other.run(draw) for _ in range(4)]
    assert before == want[0]
    assert session.run(draw) == want[3]


def test_partial_runs_and_callables(session):
    a, b = tf.placeholder(F, []), tf.placeholder(F, [])

    @function.Defun(F, F)
    def parts(x, y):
        return x * 2.0, x + y

    first, second = parts(a, b)
    handle = session.partial_run_setup([first, second], [a, b])
    assert session.partial_run(handle, first, {a: 3.0}) == 6.0
    assert session.partial_run(handle, second, {b: 4.0}) == 7.0
    assert session.make_callable([second], [a, b])(1.0, 2.0) == [3.0]


def test_devices_of_bodies_and_of_calls():
    with tf.Session(config=tf.ConfigProto(device_count={"CPU": 2})) as session:
        with tf.device("/cpu:1"):

            @function.Defun(F, func_name="There")
            def there(x):
                return tf.sin(x, name="sine")

        @function.Defun(F, func_name="Anywhere")
        def anywhere(x):
            return tf.cos(x, name="cosine")

        there(1.0, name="one")
        with tf.device("/cpu:0"):
            anywhere(1.0, name="two")
        nodes = inlined_nodes(session)
        assert nodes["one/sine_0"].device == "/device:CPU:1"
        assert nodes["two/cosine_0"].device == "/device:CPU:0"


# Graphs from elsewhere -----------------------------------------------------------------------------


def imported(message, fetch="c:0"):
    return tf.import_graph_def(message, return_elements=[fetch], name="")[0]


def placeholder(message, name, dtype=F, shape=None):
    add_node(tf, message.node, name, "Placeholder", dtype=dtype, shape=tf.TensorShape(shape))


def test_attrs_of_functions_stand_for_dtypes_of_their_nodes(session):
    message = new_graph_def(tf)
    double = ("sum", "Add", ["x", "x"], {"T": Placeholder("T")})
    add_function(
        tf, message, "Double", [("x", "T")], [("y", "T", "sum:z:0")], [double], attrs=["T"]
    )
    for name, dtype in (("a", F), ("b", INT)):
        placeholder(message, name, dtype)
        add_node(tf, message.node, f"c{name}", "Double", [name], T=dtype)
        call = Func("Double", T=dtype)
        add_node(
            tf,
            message.node,
            f"d{name}",
            "PartitionedCall",
            [name],
            Tin=[dtype],
            Tout=[dtype],
            f=call,
        )
    tf.import_graph_def(message, name="")
    fetches = ["ca:0", "cb:0", "da:0", "db:0"]
    assert session.run(fetches, {"a:0": 1.5, "b:0": 4}) == [3.0, 8, 3.0, 8]


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


def test_what_control_outputs_name_runs(session):
    message = new_graph_def(tf)
    placeholder(message, "x")
    check = ("check", "EnsureShape", ["x"], {"T": F, "shape": tf.TensorShape([2])})
    made = add_function(
        tf, message, "F", [("x", F)], [("y", F, "one:output:0")], [check, ("one", np.float32(1))]
    )
    add_node(tf, message.node, "c", "PartitionedCall", ["x"], Tin=[F], Tout=[F], f=Func("F"))
    tf.import_graph_def(message, name="without")
    assert session.run("without/c:0", {"without/x:0": 3.0}) == 1.0
    made.control_ret["c"] = "check"
    made.signature.control_output.append("c")
    made.signature.name = message.node[1].attr["f"].func.name = "G"
    tf.import_graph_def(message, name="with")
    with pytest.raises(tf.errors.InvalidArgumentError, match="Shape of tensor"):
        session.run("with/c:0", {"with/x:0": 3.0})


def test_a_loop_may_change_the_shape_that_nothing_declares(session):
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


def factorial(op, ends_somewhere=True):
    """n! as a function that calls itself where its If says so."""
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
def test_a_function_may_call_itself_in_a_branch(op, session):
    """As in TensorFlow, which runs functions where it reaches them."""
    y = factorial(op)
    assert [session.run(y, {"n:0": n}) for n in (0, 1, 2, 5, 10)] == [1, 1, 2, 120, 3628800]
    assert session.run(y, {"n:0": 12}) == 479001600


@pytest.mark.parametrize("op", ["F", "PartitionedCall"])
def test_a_function_that_always_calls_itself_says_so(op, session):
    y = factorial(op, ends_somewhere=False)
    with pytest.raises(
        tf.errors.ResourceExhaustedError, match="Function 'F' calls itself more than"
    ):
        session.run(y, {"n:0": 3})
    assert session.run(tf.constant(7)) == 7


def test_gradients_go_through_branches_in_bodies(session):
    @function.Defun(F)
    def branchy(x):
        total = tf.reduce_sum(x)
        return tf.cond(total > 0.0, lambda: x * total, lambda: -x)

    x = tf.placeholder(F, [2])
    (slope,) = tf.gradients(branchy(x), x)
    assert session.run(slope, {x: [1.0, 2.0]}).tolist() == [6.0, 6.0]
    assert session.run(slope, {x: [-1.0, -2.0]}).tolist() == [-1.0, -1.0]


def test_a_loop_in_a_body_has_no_gradient(session):
    """TensorFlow gives zeros there."""

    @function.Defun(F)
    def looped(x):
        return tf.while_loop(lambda i, _: i < 3, lambda i, v: (i + 1, v * v), (0, x))[1]

    x = tf.constant(1.5)
    y = looped(x)
    slope = tf.gradients(y, x)
    with pytest.raises(tf.errors.NotFoundError, match="No gradient defined for op: Enter"):
        session.run(slope)
    assert session.run(y) == 1.5**8  # what does not need it runs


def test_the_gradient_of_one_op(session):
    message = new_graph_def(tf)
    placeholder(message, "x")
    f = Func("Square", T=F)
    add_node(tf, message.node, "c", "SymbolicGradient", ["x", "x"], Tin=[F, F], Tout=[F], f=f)
    assert session.run(imported(message), {"x:0": 2.0}) == 8.0


def test_gradients_of_branches_leave_the_library_as_it_is(session):
    """The functions that they need are made when the gradient is computed, for it alone."""
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
