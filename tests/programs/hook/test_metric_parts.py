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
