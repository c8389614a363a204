"""Private functions of metrics that libraries make theirs of; the values come by hand."""

import pytest

import tfmini as tf

pytestmark = pytest.mark.usefixtures("tensorflow")


def test_a_metric_of_its_own():
    from tensorflow.python.ops import metrics_impl

    with tf.Graph().as_default(), tf.Session() as session:
        predictions, labels, weights = metrics_impl._remove_squeezable_dimensions(
            predictions=tf.constant([[1.0], [3.0]]),
            labels=tf.constant([2.0, 5.0]),
            weights=[[1.0], [0.5]],
        )
        total = metrics_impl.metric_variable([], tf.float32, name="total")
        update = tf.assign_add(total, tf.reduce_sum((labels - predictions) * weights))
        assert predictions.shape == labels.shape == weights.shape == [2]
        assert tf.get_collection(tf.GraphKeys.METRIC_VARIABLES) == [total]
        assert tf.local_variables() == [total] and tf.trainable_variables() == []
        session.run(tf.local_variables_initializer())
        assert session.run(update) == 2.0


def test_values_of_variables_and_quotients():
    """The nodes are TensorFlow 1.15.5's."""
    from tensorflow.python.ops import metrics_impl

    with tf.Graph().as_default() as graph:
        with tf.name_scope("a"):
            variable = metrics_impl.metric_variable([2], tf.float32, name="v")
            value = metrics_impl._aggregate_variable(variable, ["values"])
            metrics_impl._aggregate_variable(variable, None)
            one, none = tf.constant(1.0, tf.float64), tf.constant(0.0, tf.float64)
            quotient = metrics_impl._safe_scalar_div(one, none, "q")
        assert graph.get_collection("values") == [value]
        nodes = [(node.name, node.op, *node.input) for node in graph.as_graph_def().node]
    assert nodes[3:] == [
        ("a/v/read", "Identity", "a/v"),
        ("a/Identity", "Identity", "a/v/read"),
        ("a/Identity_1", "Identity", "a/v/read"),
        ("a/Const", "Const"),
        ("a/Const_1", "Const"),
        ("a/q", "DivNoNan", "a/Const", "a/Const_1"),
    ]
    with tf.Session(graph=graph) as session:
        assert session.run(quotient) == 0
