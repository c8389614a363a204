"""The assert_* functions: decided while building where that is possible, guarded otherwise."""


def build(tf):
    x = tf.placeholder(tf.float32, [None], name="x")
    k = tf.placeholder(tf.int32, name="k")
    known = tf.constant([1.0, 2.0], name="known")
    made = [
        tf.assert_equal(x, x), tf.assert_equal(known, [1.0, 2.0]), tf.assert_none_equal(x, 0.0),
        tf.assert_less(x, 9.0), tf.assert_less_equal(x, 9.0, message="small"),
        tf.assert_greater(x, 0.0, name="above"), tf.assert_greater_equal(x, known, summarize=1),
        tf.assert_positive(x), tf.assert_negative(-x), tf.assert_non_negative(x),
        tf.assert_non_positive(-x), tf.assert_near(x, x + 1e-7), tf.assert_rank(k, 2),
        tf.assert_rank(x, 1), tf.assert_rank_at_least(k, 1), tf.assert_rank_in(k, (1, 2)),
        tf.assert_integer(k), tf.assert_type(x, tf.float32), tf.Assert(tf.constant(True), [x]),
        tf.Assert(tf.reduce_all(x > 0), [x, k], summarize=2, name="guarded"),
    ]  # fmt: skip
    tf.assert_scalar(tf.constant(1))
    tf.assert_same_float_dtype([x, known])
    tf.assert_proper_iterable([x])
    with tf.control_dependencies([op for op in made if op is not None]):
        checked = tf.identity(x)
    facts = {"names": [None if op is None else op.name for op in made]}
    return {"facts": facts, "steps": [("checked", checked, {x: [1.0, 2.0], k: [[1]]})]}
