"""Histograms, order statistics, confusion matrices and sets."""

import numpy as np


def build(tf):
    steps = []
    x = tf.constant([-1.0, 0.0, 1.5, 2.0, 5.0, 15.0], name="x")
    rows = tf.constant([[3.0, 1.0, 2.0, 1.0], [6.0, 5.0, 4.0, 7.0]], name="rows")
    unknown = tf.placeholder_with_default([[1], [2], [4]], None, name="unknown")

    steps.append(("histogram", tf.histogram_fixed_width(x, [0.0, 5.0], nbins=5)))
    steps.append(
        (
            "histogram_more",
            tf.histogram_fixed_width(
                tf.constant([[1, 2], [7, 9]]), [0, 10], 4, tf.int64, name="counts"
            ),
        )
    )
    steps.append(("bins", tf.histogram_fixed_width_bins(x, [0.0, 5.0], nbins=5)))
    steps.append(("buckets", tf.raw_ops.Bucketize(input=x, boundaries=[0.0, 2.0, 4.5])))
    nth = tf.raw_ops.NthElement(input=rows, n=2)
    steps.append(("nth", [nth, tf.gradients(nth**2, rows)[0]]))
    largest = tf.raw_ops.NthElement(input=rows, n=0, reverse=True)
    steps.append(("nth_largest", [largest, tf.gradients(largest, rows)[0]]))

    steps.append(("confusion", tf.confusion_matrix([1, 2, 4], [2, 2, 4])))
    steps.append(
        (
            "confusion_weights",
            tf.math.confusion_matrix(
                tf.constant([1, 2, 4]),
                [[2], [2], [4]],
                num_classes=6,
                dtype=tf.float32,
                weights=[0.5, 2.0, 3.0],
                name="weighted",
            ),
        )
    )
    steps.append(("confusion_unknown", tf.math.confusion_matrix(unknown, [2, 2, 4], 5)))

    a, b = tf.constant([[1, 2, 2, 9], [3, 4, 5, 5]]), tf.constant([[2, 7], [5, 3]])
    sparse = tf.SparseTensor([[0, 0], [0, 2], [1, 0]], [2, 9, 7], [2, 3])
    other = tf.SparseTensor([[0, 0], [1, 1]], [2, 3], [2, 2])
    words = [tf.constant([["b", "a", ""]]), tf.constant([["c", "a", "b"]])]
    for name, left, right in (
        ("dense", a, b),
        ("mixed", a, sparse),
        ("flipped", sparse, a),
        ("sparse", sparse, other),
        ("words", words[0], words[1]),
    ):
        steps.append((name + " union", tf.sets.union(left, right)))
        steps.append((name + " intersection", tf.sets.set_intersection(left, right)))
        steps.append((name + " difference", tf.sets.difference(left, right)))
        steps.append((name + " opposite", tf.sets.set_difference(left, right, aminusb=False)))
    steps.append(("size", tf.sets.size(tf.sets.union(a, sparse))))
    cube = np.arange(12).reshape(2, 2, 3) % 5
    steps.append(("cube", tf.sets.union(cube, cube[:, :, :2] + 1)))
    return {"steps": steps}
