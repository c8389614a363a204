"""map_fn: one and several tensors, other result structures, variables created inside, static and unknown sizes."""

import numpy as np

X = np.array([[0.5, -1.0], [2.0, 0.25], [1.0, 1.0]])


def build(tf):
    x = tf.placeholder(tf.float32, [None, 2], name="x")
    known = tf.constant([[1, 2], [3, 4], [5, 6]])
    squares = tf.map_fn(lambda r: r * r, x)
    sums = tf.map_fn(tf.reduce_sum, known, name="sums")
    strings = tf.map_fn(lambda s: tf.string_join([s, "!"]), tf.constant(["a", "b"]))
    other = tf.map_fn(lambda r: tf.reduce_sum(r) > 1.0, x, dtype=tf.bool)
    pair = tf.map_fn(lambda r: (r[0], r[1] * 2.0), (x, x + 1.0), dtype=(tf.float32, tf.float32))
    nested = tf.map_fn(
        lambda d: {"sum": d["a"] + tf.cast(d["b"][0], tf.float32), "rest": [d["b"][1]]},
        {"a": x, "b": (tf.constant([1, 2, 3]), tf.constant([4, 5, 6]))},
        dtype={"sum": tf.float32, "rest": [tf.int32]},
        parallel_iterations=3,
        name="nested",
    )
    ragged = tf.map_fn(
        lambda i: tf.range(2) + i, tf.range(3), infer_shape=False, back_prop=False, swap_memory=True
    )
    in_map = tf.map_fn(lambda r: tf.map_fn(lambda v: v + tf.reduce_max(r), r), x, name="outer")
    with tf.control_dependencies([tf.constant(1.0, name="before")]):
        waiting = tf.map_fn(lambda r: tf.map_fn(lambda v: v * 2.0, r), x, name="waiting")
    array = tf.map_fn(lambda v: v * 3, np.array([1, 2, 3]))
    empty = tf.map_fn(lambda v: v + 1.0, tf.zeros([0, 2]))

    def dense(row):
        with tf.variable_scope("dense", reuse=tf.AUTO_REUSE):
            w = tf.get_variable("w", initializer=lambda: tf.constant([[1.0, 2.0], [3.0, 4.0]]))
            b = tf.get_variable(
                "b", initializer=lambda: tf.constant([0.5, -0.5]), use_resource=True
            )
        return tf.matmul(row[None, :], w)[0] + b

    products = tf.map_fn(dense, x, name="products")
    with tf.variable_scope("scope", caching_device="/cpu:0"):
        cached = tf.map_fn(dense, x)
    facts = {
        "shapes": [
            str(t.shape) for t in (squares, sums, strings, other, *pair, ragged, in_map, empty)
        ],
        "nested": [sorted(nested), str(nested["sum"].shape), str(nested["rest"][0].shape)],
        "variables": [v.name for v in tf.global_variables()],
        "caching": str(tf.get_variable_scope().caching_device),
    }
    steps = [
        ("init", tf.global_variables_initializer()),
        ("one", [squares, sums, strings, other], {x: X}),
        ("several", [pair, nested["sum"], nested["rest"], ragged, array, empty], {x: X}),
        ("in_map", [in_map, waiting], {x: X}),
        ("products", [products, cached], {x: X}),
        ("no_rows", squares, {x: X[:0]}),
    ]
    return {"facts": facts, "steps": steps}
