"""get_variable and variable_scope: names, reuse, defaults; texts are TensorFlow 1.15.5's."""

import pytest

import tfmini as tf
from tests.support.notes import read_hint


def get(name, shape=(), **options):
    return tf.get_variable(name, shape, initializer=tf.zeros_initializer(), **options)


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


def test_duplicate_variable_hints_at_graph_reset():
    tf.get_variable("weights", [2])
    with pytest.raises(ValueError, match="already exists, disallowed") as caught:
        tf.get_variable("weights", [2])
    assert "call tf.reset_default_graph() first or build in a new tf.Graph()" in read_hint(
        caught.value
    )
