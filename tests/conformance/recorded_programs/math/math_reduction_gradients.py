"""Gradients of reductions, scans, segment sums and add_n, with static and unknown shapes."""

import numpy as np


def build(tf):
    x = tf.constant((np.arange(24) - 9.3).reshape(2, 3, 4) / 7, tf.float32, name="x")
    p = tf.placeholder_with_default(x, [None, 3, 4], name="p")
    unknown = tf.placeholder_with_default(x, None, name="unknown")
    axis = tf.placeholder_with_default([0, -1], [2], name="axis")
    steps = []

    def differentiate(label, function, inputs, again=True):
        with tf.name_scope(label):
            y = function(*inputs)
            first = tf.gradients(y, inputs)
            steps.append((label, [y] + first))
            if again:
                second = [g for g in tf.gradients(first, inputs) if g is not None]
                if second:
                    steps.append((label + " again", second))

    reductions = {
        "sum": tf.reduce_sum, "mean": tf.reduce_mean, "max": tf.reduce_max, "min": tf.reduce_min,
        "prod": tf.reduce_prod, "logsumexp": tf.reduce_logsumexp,
    }  # fmt: skip
    for name, reduce in reductions.items():
        for number, a in enumerate((None, 0, [0, 2], [-1], [], axis)):
            for kind, tensor in (("static", x), ("partial", p), ("unknown", unknown)):
                differentiate(
                    f"{name}_{kind}_{number}",
                    lambda t, a=a, reduce=reduce: reduce(t, a),
                    [tensor],
                    again=name in ("sum", "mean"),
                )
        again = name != "logsumexp"  # its second gradient consists of rounding errors

        def kept(t, reduce=reduce):
            return reduce(t, 1, keepdims=True)

        differentiate(f"{name}_kept", kept, [p], again)
        differentiate(f"{name}_again", lambda t, reduce=reduce: reduce(t, 1), [x], again)
    differentiate("std", lambda t: tf.math.reduce_std(t, 0), [p])
    differentiate("norm", lambda t: tf.norm(t, axis=1), [p])
    differentiate("cumsum", lambda t: tf.cumsum(t, 1, exclusive=True), [p])
    differentiate("cumprod", lambda t: tf.cumprod(t, 2, reverse=True), [p], again=False)
    differentiate("add_n", lambda t: tf.add_n([t, t, t * 2.0]), [p])
    differentiate("accumulate_n", lambda t: tf.accumulate_n([t, t * 2.0]), [x])
    with tf.name_scope("counts"):
        steps.append(("nonzero", [tf.count_nonzero(x), tf.count_nonzero(x > 0.0, 1, True)]))
        steps.append(("arg", [tf.argmax(p, 1), tf.argmin(unknown, axis=-1)]))
        steps.append(("bincount", [tf.bincount([1, 2, 2]), tf.bincount([1, 2], [0.5, 1.0])]))
        steps.append(("bincount within", tf.bincount([1, 5], minlength=3, maxlength=4)))
    rows = tf.constant([[1.0, 2.0], [3.0, 4.0], [5.0, 6.0]], name="rows")
    ids = tf.constant([0, 0, 1], name="ids")
    for name in ("segment_sum", "segment_mean", "segment_min", "segment_max"):
        f = getattr(tf, name)
        differentiate(name, lambda t, f=f: f(t, ids), [rows])
    steps.append(("segment_prod", tf.segment_prod(rows, ids)))
    for name in ("sum", "mean", "min", "max", "prod", "sqrt_n"):
        f = getattr(tf, "unsorted_segment_" + name)
        differentiate("unsorted_" + name, lambda t, f=f: f(t, [1, 0, 1], 2), [rows], again=False)
    for name in ("sum", "mean", "sqrt_n"):
        f = getattr(tf, "sparse_segment_" + name)
        differentiate("sparse_" + name, lambda t, f=f: f(t, [0, 2, 2], [0, 0, 1]), [rows], False)
        differentiate(
            "sparse_counted_" + name,
            lambda t, f=f: f(t, [0, 2, 2], [0, 0, 1], num_segments=4),
            [rows],
            again=False,
        )
    return {"steps": steps}
