"""Arguments and captures of functions called in eager mode, as in TensorFlow 1.15.5."""

import pytest

import tfmini as tf
from tfmini._src.graph.eager.execution_mode import eager_mode

pytestmark = pytest.mark.usefixtures("eager")


def test_equal_numbers_share_a_trace():
    traced = []

    @tf.function
    def f(x):
        traced.append(x)
        return tf.constant(x)

    assert [f(x).numpy() for x in (1, True, 1.0, 0, False, 0.0)] == [1, 1, 1, 0, 0, 0]
    assert traced == [1, 0]
    assert len(f._function_cache.primary) == 2


@pytest.mark.parametrize(
    "change",
    [
        lambda values: values.append(1.0),
        lambda values: values.pop(),
        lambda values: values.reverse(),
        lambda values: values[1].append(values[2].pop()),
    ],
)
def test_arguments_are_immutable(change):
    one = tf.constant(1.0)
    with pytest.raises(ValueError, match="Function to be traced should not modify structure of"):
        tf.function(change)([one, [one], [one]])


def test_signature_defaults_and_composites():
    signature = [tf.TensorSpec([], tf.float32), tf.TensorSpec([], tf.bool)]

    @tf.function(input_signature=signature)
    def f(a, negative=False):
        return tf.where(negative, -a, a)

    assert f(2.0).numpy() == 2.0
    assert f(2.0, negative=True).numpy() == -2.0
    with pytest.raises(TypeError, match="input_signature must be either a tuple or a list, rec"):
        tf.function(lambda a: a, input_signature={"a": signature[0]})
    ragged = tf.function(
        lambda values: values, input_signature=[tf.RaggedTensorSpec([2, None], tf.int32)]
    )
    assert ragged(tf.ragged.constant([[1], [2, 3]])).to_list() == [[1], [2, 3]]
    assert ragged(tf.ragged.constant([[], [2]], dtype=tf.int32)).to_list() == [[], [2]]
    assert len(ragged._function_cache.primary) == 1
    with pytest.raises(ValueError, match="Python inputs incompatible with input_signature"):
        ragged(tf.ragged.constant([[1], [2], [3]]))


def test_argument_named_underscore():
    assert tf.function(lambda _: _ + _)(tf.constant(1.0)).numpy() == 2.0


def test_captures_by_value():
    values = {"a": 1.0, "b": tf.constant([2])}

    @tf.function
    def f(x):
        graph = tf.get_default_graph()
        a = graph.capture_call_time_value(lambda: values["a"], tf.TensorSpec(None), key="a")
        repeated = graph.capture_call_time_value(lambda: 1 / 0, tf.TensorSpec(None), key="a")
        b = graph.capture_call_time_value(lambda: values["b"], tf.TensorSpec([1], tf.int32))
        return x + a + repeated, b

    assert f(2.0)[0].numpy() == 4.0
    values["a"], values["b"] = 2.0, tf.constant([5])
    assert f(2.0)[0].numpy() == 6.0
    assert f(2.0)[1].numpy() == [5]
    values["b"] = tf.constant([1.0])
    with pytest.raises(ValueError, match="dtype"):
        f(2.0)


def test_captured_inputs():
    variable = tf.Variable(1.0, use_resource=True, trainable=False)
    large = tf.ones([256])
    graph = tf.function(lambda: variable + large + 1.0).get_concrete_function().graph
    assert graph.variables == [variable]
    small = tf.constant([1.0])
    (inside,) = tf.function(lambda: small + 1.0).get_concrete_function().graph.internal_captures
    assert inside.op.type == "Const"


def test_trace_ignores_outer_colocation():
    @tf.function
    def f(x):
        return tf.while_loop(lambda i: i < 3, lambda i: i + x, [tf.constant(0)])

    with tf.Graph().as_default():
        other = tf.constant(1.0, name="other")
        with tf.colocate_with(other), eager_mode():
            assert f(tf.constant(2)).numpy() == 4
            body = f.get_concrete_function(tf.constant(2)).graph
    groups = {group for op in body.get_operations() for group in op.colocation_groups()}
    assert b"loc:@other" not in groups


def test_colocation_captures_outer_variable():
    @tf.function
    def f():
        with tf.colocate_with(variable):
            return tf.ones([], name="output")

    with tf.Graph().as_default():
        variable = tf.Variable(1.0, use_resource=True)
        nodes = f.get_concrete_function().graph.as_graph_def().node
    groups = [(n.name, n.op, n.attr["_class"].list.s[:]) for n in nodes]
    assert groups == [  # TensorFlow 1.15.5's
        ("Variable", "Placeholder", []),
        ("output", "Const", [b"loc:@Variable"]),
        ("Identity", "Identity", []),
    ]
