"""Invalid uses of `tf.contrib.learn`: TensorFlow 1.15.5's errors."""

import numpy as np
import pytest

import tfmini as tf
from tfmini._src.contrib.learn import class_metrics
from tfmini._src.contrib.learn.base_monitors import _graph_tensor

learn = tf.contrib.learn


def test_monitor_tensors_belong_to_its_graph():
    with tf.Graph().as_default():
        elsewhere = tf.constant(1.0)
    with tf.Graph().as_default():
        here = tf.constant(1.0, name="here")
        assert (
            _graph_tensor(here) is here
            and _graph_tensor("here") is here
            and _graph_tensor("here:0") is here
        )
        for item in (elsewhere, 3):
            with pytest.raises(ValueError, match="should have graph attribute that is equal"):
                _graph_tensor(item)


def test_single_class_metrics():
    predictions = np.array([[0.25, 0.75], [0.5, 0.5]])
    with tf.Graph().as_default(), tf.Session() as session:
        values = tf.constant(predictions)
        weights = tf.constant([[1.0, 3.0], [1.0, 1.0]], tf.float64)
        result = session.run(class_metrics._select_class(values, weights, 1))
        np.testing.assert_array_equal(result, [[0.75, 0.5], [3.0, 1.0]])
        alone, none = class_metrics._select_class(values, None, 0)
        assert none is None and session.run(alone).tolist() == [0.25, 0.5]
