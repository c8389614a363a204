"""`tf.contrib.eager.metrics`, in eager mode and in graphs: TensorFlow 1.15.5's values."""

import numpy as np
import pytest

import tfmini as tf
from tfmini.contrib.eager import metrics

pytestmark = pytest.mark.usefixtures("eager")


@pytest.mark.parametrize(
    "metric, labels, predictions, weights, variables",
    [
        (metrics.Accuracy, [0, 1, 2, 3], [0, 0, 0, 3], [2.0, 0.0, 1.0, 1.0], 0.75),
        (metrics.CategoricalAccuracy, np.eye(3)[:2], [[0.6, 0.1, 0.2], [0.7, 0.2, 0.1]], None, 0.5),
        (lambda: metrics.BinaryAccuracy(0.5), [1, 0, 0, 1], [0.9, 0.5, 0.8, 0.3], None, 0.5),
        (metrics.SparseAccuracy, [0, 2], [[0.6, 0.1, 0.2], [0.7, 0.2, 0.1]], None, 0.5),
    ],
)
def test_accuracies(metric, labels, predictions, weights, variables):
    accuracy = metric()
    returned = accuracy(labels, predictions, weights=weights)
    assert len(returned) == (2 if weights is None else 3)
    assert accuracy.result().numpy() == variables
    with pytest.raises(tf.errors.InvalidArgumentError, match="is unequal|are unequal"):
        accuracy([1, 1, 1, 1, 1], predictions)


def test_aggregate_adds_state():
    one, other = metrics.Mean(), metrics.Mean()
    one([1.0, 2.0])
    other([9.0])
    one.aggregate([other])
    assert one.result().numpy() == 4
    with pytest.raises(TypeError, match="All metrics must be the same type"):
        one.aggregate([metrics.Accuracy()])
    renamed = metrics.Mean("x y")
    renamed([1.0])
    with pytest.raises(ValueError, match="must have variables in the same order"):
        one.aggregate([renamed])


def test_checkpoint_restores_state(tmp_path):
    mean = metrics.Mean()
    mean([3.0])
    path = tf.train.Checkpoint(mean=mean).save(str(tmp_path / "c"))
    restored = metrics.Mean()
    tf.train.Checkpoint(mean=restored).restore(path)
    restored([5.0])
    assert restored.result().numpy() == 4


@pytest.mark.parametrize("is_global", [False, True])
def test_metric_in_graph_mode(is_global):
    with tf.Graph().as_default(), tf.Session() as session:
        mean = metrics.Mean(use_global_variables=is_global)
        update = mean([1.0, 5.0])
        session.run(mean.init_variables())
        for _ in range(2):
            session.run(update)
        assert session.run([mean.result(), mean.value()]) == [3, 3]
        variables = tf.global_variables() if is_global else tf.local_variables()
        assert variables == mean.variables
