"""Ops on ref variables: scatter_* of every kind, count_up_to, assignments in order."""


def build(tf):
    v = tf.Variable([[1.0, 2.0], [3.0, 4.0], [5.0, 6.0]], name="v")
    n = tf.Variable([10, 20, 30], name="n")
    counter = tf.Variable(0, name="counter")
    ids = tf.placeholder(tf.int32, name="ids")
    updates = tf.constant([[10.0, 10.0], [20.0, 20.0]])
    scatters = [
        tf.scatter_update(v, [0, 2], updates), tf.scatter_add(v, [1, 1], updates),
        tf.scatter_sub(v, [0, 0], updates, use_locking=True), tf.scatter_mul(v, [0, 1], updates),
        tf.scatter_div(v, [2, 2], updates), tf.scatter_min(v, [0, 1], updates),
        tf.scatter_max(v, [0, 2], updates), tf.scatter_update(n, 1, 7), tf.scatter_add(n, ids, 5),
        tf.scatter_nd_update(v, [[0, 1], [2, 0]], [99.0, 98.0]), tf.scatter_nd_add(n, [[0]], [1]),
        tf.scatter_nd_sub(n, [[2]], [3]), v.scatter_nd_update([[1]], [[0.0, 0.0]]),
        tf.scatter_update(v, [[0], [1]], updates[:, tf.newaxis]),
    ]  # fmt: skip
    count = tf.count_up_to(counter, 3)
    chained = tf.assign_add(tf.assign(counter, 5), 10)
    with tf.control_dependencies([tf.assign(n, [0, 0, 0])]):
        read = n.read_value()
        with tf.control_dependencies([read]):
            last = tf.assign_add(n, [1, 2, 3])
    grown = tf.assign(v, [[7.0, 8.0, 9.0]], validate_shape=False)
    scaled = tf.assign(v, v * 2.0)
    reads = [v.read_value(), tf.identity(v), v + 0.0, tf.gather(v, [0]), v[0], v.value()]
    steps = [("none", tf.is_variable_initialized(v)), ("init", tf.global_variables_initializer())]
    steps += [(f"{k} {op.name}", op, {ids: [0, 0]}) for k, op in enumerate(scatters)]
    steps += [(f"count {k}", count) for k in range(3)] + [("chained", chained), ("n", n)]
    steps += [("last", last), ("scaled", scaled), ("reads", reads), ("grown", grown)]
    return {"facts": {"names": [op.name for op in scatters]}, "steps": steps + [("v", v)]}
