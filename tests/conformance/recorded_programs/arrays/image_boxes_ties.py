"""Selection and order of boxes with equal scores or asymmetric overlaps."""

import numpy as np


def build(tf):
    numbers = np.random.RandomState(0)
    results = []
    for boxes, classes, of_class, total in [
        (5, 1, 9, 9),
        (17, 1, 30, 30),
        (100, 1, 200, 200),
        (40, 1, 7, 60),
        (6, 3, 9, 5),
        (40, 3, 60, 200),
    ]:
        apart = np.zeros([2, boxes, 1, 4], "f")
        apart[..., 0, 0] = np.arange(boxes) * 2
        apart[..., 0, 2] = np.arange(boxes) * 2 + 1
        apart[..., 3] = 1
        scores = (numbers.randint(0, 3, [2, boxes, classes]) / 4).astype("f")
        results += tf.image.combined_non_max_suppression(
            tf.constant(apart), tf.constant(scores), of_class, total, 0.5, -1.0, clip_boxes=False
        )
    for boxes, classes, own in [(20, 2, 2), (40, 4, 4), (50, 3, 1)]:
        corners = numbers.randint(0, 6, [1, boxes, own, 2])
        ends = corners + numbers.randint(1, 4, corners.shape)
        many = np.concatenate([corners, ends], -1).astype("f") / 8
        scores = (numbers.randint(0, 4, [1, boxes, classes]) / 4).astype("f")
        results += tf.image.combined_non_max_suppression(
            tf.constant(many), tf.constant(scores), 5, 8, 0.3, 0.1, pad_per_class=True
        )
        overlaps = np.round(numbers.rand(boxes, boxes), 1).astype("f")
        results.append(
            tf.image.non_max_suppression_overlaps(overlaps, tf.constant(scores[0, :, 0]), 8, 0.4)
        )
    return {"steps": [("boxes", results)]}
