"""Library functions known only by their definitions."""

import tfmini as tf
from tfmini._src.functions.defined_function import _from_definition
from tfmini._src.functions.defun import Defun


def test_argument_types():
    with tf.Graph().as_default() as graph:

        @Defun(tf.float32, tf.int32)
        def scaled(x, n):
            return x * tf.cast(n, tf.float32)

        scaled(tf.constant(1.0), tf.constant(2))
        (definition,) = graph.as_graph_def().library.function
        result = _from_definition(definition)
    assert result.declared_input_types == (tf.float32, tf.int32)
    assert result.name == scaled.name


def test_gradient_of_function_with_integer_result(session):
    function = Defun(tf.float32, func_name="f")(lambda x: (x * x, tf.cast(x, tf.int32)))
    x = tf.constant(3.0)
    assert session.run(tf.gradients(function(x)[0], x)) == [6.0]
