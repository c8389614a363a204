"""Private metric functions that libraries build on; hand-computed values."""

import pytest

import tfmini as tf

pytestmark = pytest.mark.usefixtures("tensorflow")


def test_custom_metric():
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


def test_metric_variables_and_ratios():
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


def test_confusion_matrix_counts():
    from tensorflow.python.ops import metrics_impl

    labels = [True, False, True, True]
    with tf.Graph().as_default(), tf.Session() as session:
        predictions = tf.constant([0.75, 0.75, 0.25, 0.5])
        values, updates = metrics_impl._confusion_matrix_at_thresholds(
            labels, predictions, [0.4, 0.6], weights=[1.0, 1.0, 1.0, 2.0], includes=("tp", "fp")
        )
        everything, _ = metrics_impl._confusion_matrix_at_thresholds(labels, predictions, [0.5])
        confusions, add = metrics_impl._streaming_confusion_matrix([0, 1, 1], [0, 0, 1], 2)
        count, grow = metrics_impl._count_condition(values=tf.constant(labels), weights=2.0)
        ranking = metrics_impl._sparse_average_precision_at_top_k(
            tf.constant([[2]], tf.int64), tf.constant([[1, 2]])
        )
        session.run(tf.local_variables_initializer())
        session.run([updates, add, grow])
        assert session.run(values["tp"]).tolist() == [3, 1]
        assert session.run(values["fp"]).tolist() == [1, 1]
        assert sorted(everything) == ["fn", "fp", "tn", "tp"]
        assert session.run(confusions).tolist() == [[1, 0], [1, 1]]
        assert session.run(count) == 6
        assert session.run(ranking).tolist() == [0.5]
        expanded = metrics_impl._maybe_expand_labels(tf.constant([1, 2]), tf.zeros([2, 3]))
        assert expanded.shape == [2, 1]
    assert metrics_impl._at_k_name("recall", 3, class_id=2) == "recall_at_3_class2"
