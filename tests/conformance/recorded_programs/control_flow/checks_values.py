"""assert_equal and related checks, assert_near, check_numerics, is_non_decreasing: the nodes they add."""


def build(tf):
    x = tf.placeholder(tf.float32, [None], name="x")
    y = tf.placeholder(tf.float32, [None], name="y")
    i = tf.placeholder(tf.int32, [3], name="i")
    checks = []
    for compare in (
        tf.assert_equal,
        tf.assert_none_equal,
        tf.assert_less,
        tf.assert_less_equal,
        tf.assert_greater,
        tf.assert_greater_equal,
    ):
        compare(x, y)
        compare(i, 2, data=[i, x], summarize=1, message="hint", name="named")
    checks += [tf.assert_equal(x, x), tf.assert_less(x, 10.0), tf.assert_none_equal(x, 7.0)]
    for sign in (tf.assert_negative, tf.assert_positive, tf.assert_non_negative):
        sign(x)
        sign(i, message="hint", data=[x], summarize=4, name="sign")
    tf.assert_non_positive(x, message="hint")
    checks += [tf.assert_near(x, y), tf.assert_near(x, 1.0, rtol=9.0, atol=0.5, message="near")]
    folded = tf.constant([1, 2], name="folded")
    tf.assert_less(folded, 3)
    tf.assert_less(tf.shape(i), 2000)
    tf.assert_less(folded * 2, 3, name="when_it_runs")
    checks += [tf.assert_type(x, tf.float32), tf.assert_integer(i, name="integer")]
    tf.assert_scalar(3.0, name="scalar")
    finite = tf.verify_tensor_all_finite(x, "finite")
    numerics = tf.check_numerics(y, "numerics", name="numerics")
    gradient = tf.gradients(tf.check_numerics(tf.square(x), "square"), x)
    increasing = [tf.is_non_decreasing(x), tf.is_strictly_increasing(i, name="strictly")]
    every = tf.Assert(tf.reduce_all(x > 0.0), [x, i, "why"], summarize=2, name="every")
    nested = tf.cond(
        x[0] > 0.0,
        lambda: tf.Assert(y[0] > 0.0, [y]),
        lambda: tf.Assert(y[0] <= 0.0, ["y", i]),
        name="nested",
    )
    with tf.control_dependencies([*checks, every, nested]):
        checked = tf.identity(x, name="checked")
    graph = tf.get_default_graph()
    facts = {"feedable": [graph.is_feedable(t) for t in (x, folded)]}
    fetches = [checked, finite, numerics, gradient, increasing]
    steps = [("run", fetches, {x: [1.0, 2.0, 2.0], y: [1.0, 2.0, 2.0], i: [1, 2, 3]})]
    return {"facts": facts, "steps": steps}
