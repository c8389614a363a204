"""Selected boxes, as in TensorFlow 1.15.5."""

import tfmini as tf

APART = [[0.0, 0, 1, 1], [2, 2, 3, 3], [4, 4, 5, 5]]


def test_score_at_threshold_is_excluded(session):
    selected = tf.image.non_max_suppression(APART, [0.5, 0.25, 0.75], 3, score_threshold=0.5)
    assert session.run(selected).tolist() == [2]
