"""tf.data: reductions to states of many kinds, scans that carry several things."""

import numpy as np

from tests.conformance.recorded_programs.data.data_basic import read_all


def build(tf):
    D, E = tf.data.Dataset, tf.data.experimental
    numbers = D.range(7)
    words = D.from_tensor_slices(["a", "bb", "ccc"])
    totals = [
        numbers.reduce(np.int64(3), lambda s, x: s * 2 + x),
        numbers.reduce(
            {"n": 0, "max": tf.constant(-1, tf.int64)},
            lambda s, x: {"n": s["n"] + 1, "max": tf.maximum(s["max"], x)},
        ),
        words.reduce("", lambda s, w: s + w),
        numbers.reduce(
            (tf.zeros([1, 0], tf.int64), 0.0),
            lambda s, x: (tf.concat([s[0], [[x]]], 1), s[1] + 0.5),
        ),
        numbers.take(0).reduce(np.int64(5), lambda s, x: s + x),
        D.zip((numbers, numbers.skip(1))).reduce(np.int64(0), lambda s, e: s + e[0] * e[1]),
        numbers.batch(3).reduce(
            np.float32(0), lambda s, b: s + tf.reduce_sum(tf.cast(b, tf.float32))
        ),
    ]
    datasets = [
        numbers.apply(E.scan((np.int64(0), np.int64(1)), lambda s, _: ((s[1], s[0] + s[1]), s[0]))),
        words.apply(E.scan("", lambda s, w: (s + w, {"so far": s, "size": tf.strings.length(w)}))),
        numbers.apply(E.scan(tf.zeros([2], tf.int64), lambda s, x: (s + x, s))).batch(3),
        numbers.map(lambda x: D.range(x).reduce(np.int64(0), lambda s, y: s + y)),
    ]
    flat = [value for total in totals for value in tf.contrib.framework.nest.flatten(total)]
    return {"steps": [*read_all(tf, datasets), ("totals", flat, None)]}
