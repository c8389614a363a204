"""assert_rank, assert_rank_in, assert_shapes: what is known, what is left for the run."""


def build(tf):
    x = tf.placeholder(tf.float32, [None, 3], name="x")
    y = tf.placeholder(tf.float32, [5, None], name="y")
    z = tf.placeholder(tf.float32, [], name="z")
    u = tf.placeholder(tf.float32, name="u")
    rank = tf.placeholder(tf.int32, name="rank")
    scalar = tf.placeholder(tf.int32, [], name="scalar")
    tf.assert_rank(x, 2)
    tf.assert_rank(x, tf.constant(2), message="hint")
    checks = [
        tf.assert_rank(u, 2),
        tf.assert_rank(u, scalar, data=[x], summarize=2),
        tf.assert_rank(u, rank, name="named"),
        tf.assert_rank_at_least(x, 1),
        tf.assert_rank_at_least(u, 2, message="hint"),
        tf.assert_rank_at_least(u, rank),
        tf.assert_rank_in(x, [1, 2]),
        tf.assert_rank_in(u, (1, 2), message="hint"),
        tf.assert_rank_in(u, [rank, scalar]),
    ]
    tf.assert_rank_in(u, [])
    shapes = [
        tf.debugging.assert_shapes([(x, ("N", "Q")), (y, ("M", "D")), (z, ())]),
        tf.debugging.assert_shapes([(x, ("*", "Q")), (y, [Ellipsis, "Q"]), (z, "*"), (x, None)]),
        tf.debugging.assert_shapes([(y, (".", None))], name="named", message="hint"),
        tf.debugging.assert_shapes([(x, "NQ"), (y, ("M", "3"))], data=["k", x], summarize=2),
        tf.debugging.assert_shapes([(u, ("N", "Q"))]),
        tf.debugging.assert_shapes([(u, ("*", "Q", 2))]),
    ]
    tf.debugging.assert_shapes([(u, (2,))], name="vector")
    with tf.control_dependencies(checks + shapes):
        checked = tf.identity(u)
    feed = {x: [[1.0] * 3] * 2, y: [[1.0] * 3] * 5, z: 1.0, u: [[1.0, 2.0]], rank: 2, scalar: 2}
    return {"steps": [("run", checked, feed)]}
