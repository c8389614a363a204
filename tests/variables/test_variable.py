"""`tf.Variable` in programs: names, nodes, operators, protos; texts are TensorFlow 1.15.5's."""

from operator import attrgetter

import pytest

import tfmini as tf


def nodes(graph):
    return [(op.name, op.type) for op in graph.get_operations()]


def both():
    return pytest.mark.parametrize("use_resource", [False, True], ids=["reference", "resource"])


def test_initial_value_function_nodes(graph):
    with tf.device("/gpu:0"), tf.name_scope("outer"):
        v = tf.Variable(lambda: tf.zeros([2]), name="w")
    assert nodes(graph) == [
        ("outer/w/Initializer/zeros", "Const"),
        ("outer/w", "VariableV2"),
        ("outer/w/Assign", "Assign"),
        ("outer/w/read", "Identity"),
    ]
    assert v.initial_value.op.get_attr("_class") == [b"loc:@outer/w"]
    assert (v.initial_value.device, v.device) == ("", "/device:GPU:0")


def test_resource_variable_nodes(graph):
    v = tf.Variable(1.0, name="w", use_resource=True, caching_device="/cpu:0")
    assert nodes(graph) == [
        ("w/Initializer/initial_value", "Const"),
        ("w", "VarHandleOp"),
        ("w/IsInitialized/VarIsInitializedOp", "VarIsInitializedOp"),
        ("w/Assign", "AssignVariableOp"),
        ("w/Read/ReadVariableOp", "ReadVariableOp"),
        ("w/Read/Identity", "Identity"),
    ]
    assert v.value().name == "w/Read/Identity:0"
    added = v.assign_add(1.0, read_value=False).inputs[1].op
    assert added.control_inputs == [v.value().op]  # a write follows the cached read


@both()
def test_properties(graph, use_resource):
    v = tf.Variable([[1.0, 2.0]], use_resource=use_resource, constraint=tf.abs)
    assert v.shape == v.get_shape() == [1, 2]
    assert v.graph is graph
    assert v.device == ""
    assert v.trainable
    assert v.constraint is tf.abs
    assert v.synchronization is tf.VariableSynchronization.AUTO
    assert v.aggregation is tf.VariableAggregation.NONE
    assert v.initial_value.name.endswith("initial_value:0")
    assert {v: 1}[v] == 1 and v == v and (v != tf.Variable(1.0))
    assert v.experimental_ref() in {v.experimental_ref()}
    assert v.experimental_ref().deref() is v


@both()
def test_operators_match_value_operators(graph, use_resource):
    v = tf.Variable([2.0, 4.0], use_resource=use_resource)
    n = tf.Variable([7, 5], use_resource=use_resource)
    values = [
        v + 1.0, 1.0 + v, v - 1.0, 1.0 - v, v * 2.0, 2.0 * v, v / 2.0, 1.0 / v, v**2.0, 2.0**v,
        n // 2, 20 // n, n % 4, 9 % n, -v, abs(v), v < 3.0, v >= 4.0, v[1], v[:1],
    ]  # fmt: skip
    with tf.Session() as session:
        session.run(tf.global_variables_initializer())
        actual = [value.tolist() for value in session.run(values)]
    assert actual == [
        [3, 5], [3, 5], [1, 3], [-1, -3], [4, 8], [4, 8], [1, 2], [0.5, 0.25], [4, 16], [4, 16],
        [3, 2], [2, 4], [3, 1], [2, 4], [-2, -4], [2, 4], [True, False], [False, True], 4, [2],
    ]  # fmt: skip


@pytest.mark.parametrize(
    ("case", "kind", "text"),
    [
        (
            lambda: tf.Variable(variable_def=tf.Variable(1.0).to_proto(), use_resource=True),
            ValueError,
            "Trying to restore Variable as ResourceVariable.",
        ),
    ],
)
def test_errors(graph, case, kind, text):
    with pytest.raises(kind) as caught:
        case()
    assert str(caught.value) == text


@both()
@pytest.mark.parametrize(
    ("method", "result"), [("add", [1, 7, 3]), ("sub", [1, -3, 3]), ("update", [1, 5, 3])]
)
def test_scatter_nd_methods(graph, use_resource, method, result):
    v = tf.Variable([1, 2, 3], use_resource=use_resource)
    changed = getattr(v, f"scatter_nd_{method}")([[1]], [5])
    with tf.Session() as session:
        session.run(v.initializer)
        assert session.run(changed).tolist() == result


class Unfinished(tf.Variable):
    """A variable class without overrides."""

    def __init__(self):
        pass


@pytest.mark.parametrize(
    "use",
    [
        *map(attrgetter, ("name", "dtype", "op", "graph", "device", "shape")),
        lambda v: v.value(),
        lambda v: v.assign(1),
        lambda v: v.assign_add(1),
        lambda v: v.assign_sub(1),
        lambda v: v.count_up_to(3),
        lambda v: v.scatter_nd_add([[0]], [1.0]),
        lambda v: v.to_proto(),
    ],
)
def test_abstract_members_are_not_implemented(use):
    with pytest.raises(NotImplementedError, match="^$"):
        use(Unfinished())


def test_second_version_variable_keeps_constraint(session):
    v = tf.compat.v2.Variable(3.0, constraint=lambda x: tf.minimum(x, 1.0))
    step = tf.train.GradientDescentOptimizer(0.1).minimize(-v)
    session.run(v.initializer)
    session.run(step)
    assert session.run(v) == 1.0


def test_subclass_inherits_tensor_operators(session):
    class Doubled(tf.Variable):
        def __init__(self, value):
            self._of = value

        def value(self):
            return tf.constant(2.0 * self._of)

        def __add__(self, other):
            raise AssertionError

    Doubled._OverloadAllOperators()
    assert session.run(Doubled(3.0) + 1.0) == 7.0
    assert Doubled(3.0) != Doubled(3.0)
