"""The clip functions, their gradients and edges: zero norms, infinite ones, chosen axes."""


def build(tf):
    x = tf.constant([[3.0, 4.0], [0.3, -0.4]], name="x")
    z = tf.zeros([2], name="z")
    big = tf.constant([float("inf"), 1.0], name="big")
    limit = tf.placeholder(tf.float32, [], name="limit")
    p = tf.placeholder(tf.float32, [None], name="p")
    made = [
        tf.clip_by_value(x, -1.0, 1.0), tf.clip_by_value(x, [0.0, 0.0], [1.0, 5.0]),
        tf.clip_by_value(tf.constant([5, -7]), 0, 3), tf.clip_by_norm(x, 1.0),
        tf.clip_by_norm(x, 1.0, axes=[1]), tf.clip_by_norm(x, 100.0), tf.clip_by_norm(z, 1.0),
        tf.clip_by_norm(p, limit, name="fed"), tf.clip_by_average_norm(x, 0.5),
        tf.global_norm([x, z, None]), tf.clip_by_global_norm([x, z], 1.0)[0],
        tf.clip_by_global_norm([x, None, z], 100.0)[1], tf.clip_by_value(p, 0.0, limit),
    ]  # fmt: skip
    clipped, norm = tf.clip_by_global_norm([x, z, p], limit, use_norm=tf.constant(10.0))
    infinite = tf.clip_by_global_norm([big, x], 1.0)[0]
    v = tf.Variable([3.0, 4.0], name="v")
    gradients = [
        tf.gradients(tf.clip_by_value(x * 2.0, -1.0, 7.0), x),
        tf.gradients(tf.clip_by_norm(v, 1.0), v),
        tf.gradients(tf.clip_by_value(p, -limit, limit), p),
    ]
    feed = {limit: 2.0, p: [1.0, 2.0, 3.0]}
    steps = [("init", v.initializer)]
    steps += [(f"{n}", t, feed) for n, t in enumerate(made + gradients)]
    steps += [("global", [clipped, norm], feed), ("infinite", infinite, feed)]
    return {"steps": steps}
