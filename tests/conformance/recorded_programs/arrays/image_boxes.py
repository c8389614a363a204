"""Non-maximum suppression: all versions, ties, inverted boxes, soft scores, per-class batches."""

import numpy as np


def build(tf):
    image = tf.image
    rng = np.random.RandomState(13)
    corners = rng.rand(40, 2).astype("f")
    sizes = rng.rand(40, 2).astype("f") * 0.4
    values = np.concatenate([corners, corners + sizes], axis=1)
    values[::3] = values[::3][:, [2, 3, 0, 1]]
    boxes = tf.constant(values)
    scores = tf.constant(rng.permutation(40).astype("f") / 40)
    ties = tf.constant(rng.randint(0, 5, 40).astype("f") / 5)
    n = tf.placeholder(tf.int32, [], name="n")
    v4 = image.non_max_suppression_padded(boxes, scores, 30, 0.3, pad_to_max_output_size=True)
    results = [
        image.non_max_suppression(boxes, scores, 10),
        image.non_max_suppression(boxes, scores, n, 0.1, 0.2, name="named"),
        image.non_max_suppression(boxes, ties, 40, 0.4),
        image.non_max_suppression(boxes[:3], ties[:3], 0),
        *v4,
        image.non_max_suppression_padded(boxes, ties, n, 0.3)[0],
        *image.non_max_suppression_with_scores(boxes, scores, n, 0.8, 0.1, 0.5),
        *image.non_max_suppression_with_scores(boxes, ties, 20, 0.5),
        image.non_max_suppression_overlaps(tf.eye(40) + 0.1, scores, n, 0.05),
        image.non_max_suppression_overlaps(tf.eye(40) + 0.1, ties, 50, 0.5, 0.3),
    ]
    many = tf.constant(rng.rand(2, 20, 3, 4).astype("f"))
    points = tf.constant(rng.permutation(120).reshape(2, 20, 3).astype("f") / 120)
    results += image.combined_non_max_suppression(many, points, 5, 10, 0.3, 0.1)
    results += image.combined_non_max_suppression(
        many[:, :, :1] * 2 - 0.5, points, 4, 40, pad_per_class=True
    )
    results += image.combined_non_max_suppression(many * 2, points, n, n, clip_boxes=False)
    return {"steps": [("kept", results, {n: 7})]}
