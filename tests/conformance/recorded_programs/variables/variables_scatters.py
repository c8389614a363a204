"""Every scatter into both kinds of variables, repeated indices, scalars, points; counting; clearing."""

import numpy as np

NAMES = ["add", "sub", "mul", "div", "min", "max", "update"]


def build(tf):
    return {"steps": steps_of(tf, "reference") + steps_of(tf, "resource")}


def steps_of(tf, kind):
    steps = []
    start = np.arange(1, 13, dtype="f").reshape(4, 3)
    updates = np.arange(2, 14, dtype="f").reshape(2, 2, 3)
    use_resource = kind == "resource"
    v = tf.Variable(start, name="v", use_resource=use_resource)
    n = tf.Variable([9, -9, 7], name="n", use_resource=use_resource)

    def after(label, op):
        steps.append((kind, [v.initializer, n.initializer]))
        steps.append((kind + " " + label, op))

    for name in NAMES:
        scatter = getattr(tf, "scatter_" + name)
        slices = tf.IndexedSlices([[2.0, 3.0, 4.0]], [2])
        after(name, scatter(v, [[1, 1], [3, 1]], updates))
        after(name + " by method", getattr(v, "scatter_" + name)(slices))
        after(
            name + " one",
            scatter(v, 0, [2.0, 2.0, 2.0]) if use_resource else scatter(v, [0, 2], 2.0),
        )
        after(name + " integers", scatter(n, tf.constant([0, 1], tf.int64), [2, 2]))
    for name in ("add", "sub", "update"):
        scatter = getattr(tf, "scatter_nd_" + name)
        after(name + " points", scatter(v, [[0, 1], [3, 2], [0, 0]], [10.0, 20.0, 30.0]))
        after(name + " rows", scatter(v, [[2], [0]], start[:2]))
        after(name + " points by method", getattr(v, "scatter_nd_" + name)([[1, 1]], [5.0]))
    after("batch", tf.batch_scatter_update(v, [[0], [1], [2], [0]], start[:, :1]))
    count = tf.Variable(3, name="count", use_resource=use_resource)
    return steps + [
        ("count", count.initializer),
        ("counted", count.count_up_to(9)),
        ("count", count),
    ]
