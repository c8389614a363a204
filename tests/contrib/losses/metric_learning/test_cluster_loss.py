"""Agreement of two clusterings: computed by hand, and by scikit-learn 0.22 and later."""

import ast
import math
import subprocess
import sys

import numpy as np
import pytest

import tfmini as tf
from tests.support.lazy_modules import needs
from tfmini._src.contrib.losses.metric_learning import clustering_scores

FOUR = (
    clustering_scores.normalized_mutual_information,
    clustering_scores.adjusted_mutual_information,
    clustering_scores.adjusted_rand_index,
    clustering_scores.v_measure,
)


@pytest.mark.parametrize("score", FOUR)
def test_scores_ignore_cluster_names(score):
    assert score([0, 0, 1, 1, 2], [7, 7, 3, 3, 0]) == pytest.approx(1.0)
    assert score([5], [2]) == score([4, 4], [4, 4]) == 1.0


def test_hand_computed_scores():
    labels, predictions = [0, 1, 1, 2], [0, 0, 1, 1]
    # The entropies are 1.5 log 2 and log 2, the information half of log 2.
    assert clustering_scores.normalized_mutual_information(labels, predictions) == pytest.approx(
        0.4
    )
    assert clustering_scores.v_measure(labels, predictions) == pytest.approx(0.4)
    # No equal pair agrees; one and two pairs of six: (0 - 1 / 3) / (1.5 - 1 / 3).
    assert clustering_scores.adjusted_rand_index(labels, predictions) == pytest.approx(-2 / 7)
    assert clustering_scores.adjusted_mutual_information(labels, predictions) == pytest.approx(
        -2 / 7
    )
    assert clustering_scores.adjusted_rand_index([0, 1, 2], [2, 0, 1]) == 1.0
    assert clustering_scores.v_measure([0, 1], [0, 0]) == 0.0
    assert clustering_scores.v_measure([], []) == 1.0


def test_expected_information_averages_all_orders():
    table = clustering_scores._contingency_table([0, 0, 1], [0, 1, 1])
    # The odd one out in either clustering: equal in one of three cases, different in two.
    same = math.log(3.0) / 3 + math.log(1.5) * 2 / 3
    other = math.log(0.75) / 3 + math.log(1.5) * 2 / 3
    assert table.expected_information() == pytest.approx(same / 3 + other * 2 / 3)


@needs("sklearn")
def test_scores_match_scikit_learn():
    random = np.random.RandomState(0)
    groups = [random.randint(0, random.randint(1, 6), [2, 12]).tolist() for _ in range(20)]
    # In another process, since its modules need 50 MB.
    program = f"""from sklearn.metrics import (
    adjusted_mutual_info_score, adjusted_rand_score, normalized_mutual_info_score, v_measure_score)
scores = normalized_mutual_info_score, adjusted_mutual_info_score, adjusted_rand_score, v_measure_score
print([[float(score(*pair)) for score in scores] for pair in {groups}])"""
    theirs = ast.literal_eval(subprocess.check_output([sys.executable, "-c", program], text=True))
    for pair, expected in zip(groups, theirs, strict=True):
        assert [score(*pair) for score in FOUR] == pytest.approx(expected)


def test_unknown_margin_type_is_refused():
    with tf.Graph().as_default(), pytest.raises(ValueError, match="Unrecognized margin_type: rand"):
        tf.contrib.losses.metric_learning.cluster_loss(
            [[0], [1]], [[1.0], [2.0]], 1.0, margin_type="rand"
        )
