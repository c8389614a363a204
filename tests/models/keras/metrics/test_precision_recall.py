"""Threshold-based metrics against numpy's counts."""

import numpy as np
import pytest

import tfmini as tf

pytestmark = pytest.mark.usefixtures("keras_session")

METRICS = tf.keras.metrics
DRAW = np.random.RandomState(0)
TRUE, PREDICTED = DRAW.randint(0, 2, (30, 3)), DRAW.rand(30, 3).astype(np.float32)
WEIGHTS = DRAW.rand(30, 3).astype(np.float32)


def measured(metric, *updates, **weights):
    """The result after these updates, also of a metric recreated from its configuration."""
    result = []
    for made in (metric, type(metric).from_config(metric.get_config())):
        steps = [made.update_state(tf.constant(t), tf.constant(p), **weights) for t, p in updates]
        session = tf.keras.backend.get_session()
        session.run([v.initializer for v in made.variables])
        for step in steps:
            session.run(step)
        result.append(session.run(made.result()))
        made.reset_states()
        assert not any(value.any() for value in session.run(made.variables))
    np.testing.assert_array_equal(*result)
    return result[0]


def counts(limit, weights=1.0):
    positive, one = PREDICTED > limit, TRUE == 1
    pairs = ((one, positive), (~one, ~positive), (~one, positive), (one, ~positive))
    return [((a & b) * weights).sum() for a, b in pairs]


def test_confusion_counts_and_ratios():
    names = ("TruePositives", "TrueNegatives", "FalsePositives", "FalseNegatives")
    halves = (TRUE[:10], PREDICTED[:10]), (TRUE[10:], PREDICTED[10:])
    for name, *expected in zip(names, counts(0.5), counts(0.2)):
        assert measured(getattr(METRICS, name)(), *halves) == expected[0]
        assert measured(getattr(METRICS, name)([0.5, 0.2]), *halves).tolist() == expected
    right, _, wrong, missed = counts(0.5, WEIGHTS)
    options = {"sample_weight": tf.constant(WEIGHTS)}
    both = (TRUE, PREDICTED)
    assert measured(METRICS.Precision(), both, **options) == pytest.approx(right / (right + wrong))
    assert measured(METRICS.Recall(), both, **options) == pytest.approx(right / (right + missed))
    best = np.zeros_like(TRUE)
    best[np.arange(30), PREDICTED.argmax(1)] = 1
    assert measured(METRICS.Precision(top_k=1), both) == pytest.approx((best & TRUE).sum() / 30)
    column = (best & TRUE)[:, 1].sum() / TRUE[:, 1].sum()
    assert measured(METRICS.Recall(top_k=1, class_id=1), both) == pytest.approx(column)
    with pytest.raises(ValueError, match=r"Threshold values must be in \[0, 1\]"):
        METRICS.Precision([0.5, 2.0])


@pytest.mark.parametrize("method", ["interpolation", "minoring", "majoring"])
def test_auc_methods(method):
    limits = [-1e-7, 0.25, 0.5, 0.75, 1 + 1e-7]
    tp, tn, fp, fn = np.array([counts(limit) for limit in limits]).T
    recall, wrong = tp / (tp + fn), fp / (fp + tn)
    join = {"interpolation": lambda a, b: (a + b) / 2, "minoring": np.minimum}
    heights = join.get(method, np.maximum)(recall[:-1], recall[1:])
    area = measured(METRICS.AUC(5, summation_method=method), (TRUE, PREDICTED))
    assert area == pytest.approx(((wrong[:-1] - wrong[1:]) * heights).sum())
    area = measured(
        METRICS.AUC(curve="PR", thresholds=[0.5], summation_method=method), (TRUE, PREDICTED)
    )
    assert 0 <= area <= 1
    with pytest.raises(ValueError, match="Invalid AUC curve value"):
        METRICS.AUC(curve="lift")


def test_interpolated_precision_recall_auc():
    """TensorFlow's own example: thresholds 0, 0.5 and 1."""
    both = (np.array([0, 0, 1, 1]), np.array([0, 0.5, 0.3, 0.9], np.float32))
    assert measured(METRICS.AUC(3), both) == pytest.approx(0.75)


def test_mean_iou():
    made = measured(METRICS.MeanIoU(2), (np.array([0, 0, 1, 1]), np.array([0, 1, 0, 1])))
    assert made == pytest.approx(1 / 3)
