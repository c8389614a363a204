"""get_variable and variable_scope: names, reuse, defaults; texts are TensorFlow 1.15.5's."""

import threading

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


@pytest.mark.parametrize("reuse", [True, tf.AUTO_REUSE])
def test_reuse(graph, reuse):
    with tf.variable_scope("s") as scope:
        v = get("v")
        scope.reuse_variables()
        assert get("v") is v
    with tf.variable_scope("s", reuse=reuse):
        assert tf.get_variable("v") is v
        with tf.variable_scope("inner") as inner:
            assert inner.reuse is reuse
    with tf.variable_scope(scope):
        assert tf.get_variable("v") is v
    with tf.variable_scope("s", reuse=tf.AUTO_REUSE):
        assert get("new").name == "s/new:0"
    tf.get_variable_scope().reuse_variables()
    assert tf.get_variable("s/v") is v


def test_same_name_nested(graph):
    with tf.variable_scope("scope") as scope:
        with tf.variable_scope("scope"):
            assert get("w").name == "scope/scope/w:0"
            with tf.variable_scope(scope):
                assert get("w").name == "scope/w:0"


def test_default_names(graph):
    names = []
    for _ in range(2):
        with tf.variable_scope(None, default_name="scope") as scope:
            names.append((get("w").name, scope.name, scope.original_name_scope))
    assert names == [("scope/w:0", "scope", "scope/"), ("scope_1/w:0", "scope_1", "scope_1/")]
    with tf.variable_scope("given", "scope"):
        assert get("w").name == "given/w:0"


def test_entering_again(graph):
    block = tf.variable_scope("block")
    for number in range(2):
        with block as scope:
            assert scope.name == "block"
            assert tf.constant(1.0).op.name == ("block/Const", "block_1/Const")[number]
    with tf.variable_scope(scope, auxiliary_name_scope=False):
        assert tf.constant(1.0).op.name == "Const"
        with tf.variable_scope("inner", auxiliary_name_scope=False):
            assert get("w").name == "block/inner/w:0"


def test_defaults_of_a_scope(graph):
    penalty = tf.identity
    with tf.variable_scope(
        "s",
        initializer=tf.ones_initializer(),
        regularizer=penalty,
        dtype=tf.float64,
        use_resource=True,
        constraint=tf.abs,
        caching_device="/cpu:0",
    ) as scope:
        v = tf.get_variable("v", [2])
        with tf.variable_scope("t") as inner:
            w = tf.get_variable("w", [2], regularizer=tf.no_regularizer, dtype=tf.float32)
    assert (scope.dtype, scope.use_resource, scope.regularizer) == (tf.float64, True, penalty)
    assert (inner.constraint, inner.initializer) == (None, scope.initializer)
    assert (v.dtype, w.dtype, v.constraint) == (tf.float64, tf.float32, tf.abs)
    assert v.handle.op.type == w.handle.op.type == "VarHandleOp"
    assert v.initial_value.op.name == "s/v/Initializer/ones"
    losses = tf.get_collection(tf.GraphKeys.REGULARIZATION_LOSSES)
    assert [loss.name for loss in losses] == ["s/v/Regularizer/Identity:0"]


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


def test_custom_getters(graph):
    calls = []

    def renaming(getter, name, *args, **kwargs):
        calls.append(name)
        return getter(name + "_got", *args, **kwargs)

    def doubling(getter, name, *args, **kwargs):
        return getter(name, *args, **kwargs) * 2.0

    with tf.variable_scope("s", custom_getter=renaming):
        assert get("v").name == "s/v_got:0"
        with tf.variable_scope("t", custom_getter=doubling):
            assert get("w").name == "mul:0"
    assert calls == ["s/v", "s/t/w"]
    plain = tf.get_variable("p", [], custom_getter=lambda getter, name, **_: getter(name, [3]))
    assert plain.shape == [3]


def test_a_getter_without_constraint(graph):
    def old(
        getter,
        name,
        shape,
        dtype,
        initializer,
        regularizer,
        reuse,
        trainable,
        collections,
        caching_device,
        partitioner,
        validate_shape,
        use_resource,
        synchronization,
        aggregation,
    ):
        return getter(name, shape)  # fmt: skip

    assert tf.get_variable("v", [2], custom_getter=old).shape == [2]


def test_threads_have_scopes_of_their_own(graph):
    seen = []

    def other():
        with graph.as_default():
            seen.append(tf.get_variable_scope().name)

    with tf.variable_scope("s"):
        thread = threading.Thread(target=other)
        thread.start()
        thread.join()
    assert seen == [""]


def test_older_spelling(graph):
    with tf.variable_op_scope([tf.constant(1.0)], "s", "default") as scope:
        assert scope.name == "s"


def test_resource_variables_by_default(graph):
    tf.enable_resource_variables()
    try:
        assert tf.resource_variables_enabled()
        assert tf.Variable(1.0).dtype is tf.float32
        assert get("v").dtype is tf.float32
    finally:
        tf.disable_resource_variables()
    assert tf.Variable(1.0).dtype is tf.float32._as_ref


EXISTS = (
    "Variable weights already exists, disallowed. Did you mean to set reuse=True or "
    "reuse=tf.AUTO_REUSE in VarScope?"
)


def test_twice(graph):
    get("weights")
    with pytest.raises(ValueError) as caught:
        get("weights")
    text = str(caught.value)
    assert text.startswith(EXISTS + " Originally defined at:\n\n")
    first = text.split("\n\n")[1].splitlines()
    assert __file__ in first[0] and "return tf.get_variable(name" in first[1]
    with tf.variable_scope("", use_resource=True):
        tf.get_variable("other", [])
        with pytest.raises(ValueError) as caught:
            tf.get_variable("other", [])
    assert str(caught.value) == EXISTS.replace("weights", "other")


def reusing(name, *args, **kwargs):
    with tf.variable_scope("", reuse=True):
        return tf.get_variable(name, *args, **kwargs)


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
