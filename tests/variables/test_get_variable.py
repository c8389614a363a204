"""get_variable and variable_scope: names, reuse, defaults; texts are TensorFlow 1.15.5's."""

import pytest

import tfmini as tf
from tests.support.notes import hint_of


def get(name, shape=(), **options):
    return tf.get_variable(name, shape, initializer=tf.zeros_initializer(), **options)


def test_names(graph):
    with tf.name_scope("ignored"), tf.variable_scope("one") as one:
        a = get("a")
        sum_of_both = a + tf.Variable(1.0, name="v")
        with tf.variable_scope("two"):
            b = get("b")
    with tf.name_scope("else"), tf.variable_scope(one):
        c = get("c")
        d = tf.constant(1.0, name="d")
    assert [v.name for v in (a, b, c)] == ["one/a:0", "one/two/b:0", "one/c:0"]
    assert (sum_of_both.name, d.name) == ("ignored/one/add:0", "else/one/d:0")
    assert [v.name for v in tf.global_variables()][1] == "ignored/one/v:0"


def test_initializer_nodes_stand_below_the_variable(graph):
    with tf.name_scope("n"), tf.variable_scope("s"):
        w = tf.get_variable("w", [2], initializer=tf.ones_initializer())
    assert [op.name for op in graph.get_operations()] == [
        "s/w/Initializer/ones",
        "s/w",
        "s/w/Assign",
        "s/w/read",
    ]
    assert w.initial_value.name == "s/w/Initializer/ones:0"


def test_default_names(graph):
    names = []
    for _ in range(2):
        with tf.variable_scope(None, default_name="scope") as scope:
            names.append((get("w").name, scope.name, scope.original_name_scope))
    assert names == [("scope/w:0", "scope", "scope/"), ("scope_1/w:0", "scope_1", "scope_1/")]
    with tf.variable_scope("given", "scope"):
        assert get("w").name == "given/w:0"


def test_setters(graph):
    with tf.variable_scope("s") as scope:
        scope.set_dtype(tf.int32)
        scope.set_initializer(tf.constant_initializer(4))
        scope.set_use_resource(True)
        scope.set_regularizer(None)
        scope.set_caching_device(None)
        scope.set_partitioner(None)
        scope.set_custom_getter(None)
        v = tf.get_variable("v", [])
        other = get("other", trainable=False)
        local = tf.get_local_variable("local", [])
    assert (v.dtype, v.initial_value.op.name) == (tf.int32, "s/v/Initializer/Const")
    assert scope.global_variables() == [v, other]
    assert (scope.trainable_variables(), scope.local_variables()) == ([v], [local])


def test_values_as_initializers(graph):
    a = tf.get_variable("a", initializer=[1.0, 2.0])
    b = tf.get_variable("b", initializer=tf.ones([2, 3]))
    c = tf.get_variable("c", initializer=lambda: tf.constant(3))
    d = tf.get_variable("d", [2], initializer=tf.zeros_initializer)
    e = tf.get_variable("e", [2], tf.string)
    assert [v.shape.as_list() for v in (a, b, c, d, e)] == [[2], [2, 3], [], [2], [2]]
    assert [v.dtype.base_dtype.name for v in (a, b, c, d, e)] == [
        "float32", "float32", "int32", "float32", "string",
    ]  # fmt: skip
    with tf.Session() as session:
        session.run(tf.global_variables_initializer())
        assert session.run(c) == 3
        assert session.run(e).tolist() == [b"", b""]


def test_resource_variables_by_default(graph):
    tf.enable_resource_variables()
    try:
        assert tf.resource_variables_enabled()
        assert tf.Variable(1.0).dtype is tf.float32
        assert get("v").dtype is tf.float32
    finally:
        tf.disable_resource_variables()
    assert tf.Variable(1.0).dtype is tf.float32._as_ref


@pytest.mark.parametrize(
    ("case", "kind", "text"),
    [
        (
            lambda: tf.get_variable("w", [2], tf.complex64),
            ValueError,
            "An initializer for variable w of <dtype: 'complex64'> is required",
        ),
        (
            lambda: tf.get_variable(),
            TypeError,
            "get_variable() missing 1 required positional argument: 'name'",
        ),
    ],
)
def test_errors(graph, case, kind, text):
    get("v", [2])
    with pytest.raises(kind) as caught:
        case()
    assert str(caught.value) == text
    assert tf.get_variable_scope().name == ""
    assert graph.get_name_scope() == ""


def test_a_variable_made_twice_is_a_hint_at_graphs():
    tf.get_variable("weights", [2])
    with pytest.raises(ValueError, match="already exists, disallowed") as caught:
        tf.get_variable("weights", [2])
    assert "call tf.reset_default_graph() first or build in a new tf.Graph()" in hint_of(
        caught.value
    )
