"""Variables and other objects as function arguments, as in TensorFlow 1.15.5."""

import pytest

import tfmini as tf


def _sum_and_first(a, b):
    return a + b * 2.0, a


@pytest.mark.usefixtures("eager")
def test_variable_input_is_its_handle():
    v, w = tf.Variable(1.0), tf.Variable(2.0)
    concrete = tf.function(_sum_and_first).get_concrete_function(tf.TensorSpec([None]), v)
    assert [(t.op.name, t.dtype) for t in concrete.inputs] == [
        ("a", tf.float32),
        ("b", tf.resource),
    ]
    assert [t.op.get_attr("_user_specified_name") for t in concrete.inputs] == [b"a", b"b"]
    assert concrete.captured_inputs == []
    assert concrete.name.startswith(b"__inference__sum_and_first_")
    one = tf.constant([1.0])
    for b, expected in ((v, 3.0), (w, 5.0)):
        with tf.GradientTape() as tape:
            result = concrete(a=one, b=b)[0]
        assert result.numpy() == [expected]
        assert tape.gradient(result, b).numpy() == 2.0


@pytest.mark.usefixtures("eager")
def test_one_trace_per_variable_pair():
    v, w = tf.Variable(1.0), tf.Variable([1.0, 2.0])
    add = tf.function(lambda a, b: a + b)
    assert add(v, v).numpy() == 2.0
    assert add(v, w).numpy().tolist() == [2.0, 3.0]
    assert add(w, v).numpy().tolist() == [2.0, 3.0]
    assert len(add._function_cache.primary) == 3
    concrete = add.get_concrete_function(v, v)
    assert len(concrete.inputs) == 1
    v.assign(4.0)
    assert concrete(v).numpy() == 8.0


@pytest.mark.usefixtures("eager")
def test_concrete_functions_receive_handles():
    v = tf.Variable(1.0)
    next_to = tf.function(lambda x: x + 1.0, input_signature=[tf.TensorSpec([])])
    assert next_to(v).numpy() == 2.0
    with pytest.raises(tf.errors.InvalidArgumentError, match="a float tensor but is a resource"):
        next_to.get_concrete_function()(v)


def test_graph_mode_variable_inputs():
    with tf.variable_scope("", use_resource=True):
        v = tf.get_variable("v", initializer=3.0)
    w = tf.Variable(5.0, use_resource=False)
    tripled = tf.function(lambda x: x * 3.0)
    assert [t.op.name for t in tripled.get_concrete_function(v).inputs] == ["x"]
    assert tripled.get_concrete_function(w).captured_inputs
    results = [tripled(v), tripled(w)]
    gradients = tf.gradients(results, [v, w])
    with tf.Session() as session:
        session.run(tf.global_variables_initializer())
        assert session.run(results) == [9.0, 15.0]
        assert session.run(gradients) == [3.0, 3.0]


class _Unhashable:
    __hash__ = None


class _WithoutReferences:
    __slots__ = ()
    __hash__ = None


@pytest.mark.usefixtures("eager")
@pytest.mark.parametrize(
    ("value", "error", "text"),
    [
        (_Unhashable(), AttributeError, "'_Unhashable' object has no attribute 'shape'"),
        (
            _WithoutReferences(),
            TypeError,
            "supplied to `defun`-generated functions must be hashable",
        ),
    ],
)
def test_arguments_must_be_hashable(value, error, text):
    with pytest.raises(error, match=text):
        tf.function(lambda x: 1.0)(value)
