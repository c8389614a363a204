"""while_loop: one and several variables, captured tensors, limits, names, what the context says."""


def build(tf):
    x = tf.placeholder(tf.float32, [], name="x")
    m = tf.constant([[1.0, 2.0], [3.0, 4.0]], name="m")
    one = tf.while_loop(lambda i: i < 10, lambda i: i + 1, [tf.constant(0)])
    kept = tf.while_loop(
        lambda i: i < 3, lambda i: [i + 1], [tf.constant(0)], return_same_structure=True
    )
    two = tf.while_loop(lambda i, a: i < 5, lambda i, a: (i + 1, a * x), (0, 1.0), name="power")
    product = tf.while_loop(
        lambda i, p: tf.less(i, 3),
        lambda i, p: [i + 1, tf.matmul(p, m) + x],
        [tf.constant(0), tf.eye(2)],
        parallel_iterations=1,
        back_prop=False,
        swap_memory=True,
        name="product",
    )
    limited = tf.while_loop(
        lambda i: i < 10, lambda i: i + 1, [tf.constant(0)], maximum_iterations=4
    )
    limit = tf.placeholder(tf.int64, [], name="limit")
    limited_two = tf.while_loop(
        lambda i, a: True, lambda i, a: (i + 2, -a), (0, x), maximum_iterations=limit, name="ends"
    )
    never = tf.while_loop(lambda a: a < 0.0, lambda a: a * 2.0, [tf.abs(x)], name="never")
    swapped = tf.while_loop(
        lambda i, a, b: i < 3, lambda i, a, b: (i + 1, b, a), (0, x, x + 1.0), name="swapped"
    )
    constant = tf.while_loop(
        lambda i, a: i < 3, lambda i, a: (i + 1, tf.constant(7.0)), (0, x), name="constant"
    )
    with tf.name_scope("scope"), tf.control_dependencies([product[0].op]):
        waiting = tf.while_loop(
            lambda i: i < tf.size(m), lambda i: i + tf.ones([], tf.int32), [tf.constant(0)]
        )
    facts = {
        "contexts": [c.name for c in tf.get_collection("while_context")],
        "pivots": [c.pivot.name for c in tf.get_collection("while_context")],
        "exits": [[e.name for e in c.loop_exits] for c in tf.get_collection("while_context")],
        "enters": [[e.name for e in c.loop_enters] for c in tf.get_collection("while_context")],
        "settings": [
            (c.parallel_iterations, c.back_prop, c.swap_memory)
            for c in tf.get_collection("while_context")
        ],
        "values": [sorted(c._values) for c in tf.get_collection("while_context")],
        "types": [type(t).__name__ for t in (one, kept, two, limited, limited_two, never)],
        "proto": str(tf.get_collection("while_context")[3].to_proto()),
    }
    fetches = [one, kept, two, product, limited, never, swapped, constant, waiting]
    steps = [(f"x={k}", fetches, {x: k}) for k in (-2.0, 0.0, 1.5)]
    steps += [("limited", limited_two, {x: 3.0, limit: 5}), ("op", two[1].op, {x: 3.0})]
    steps += [("part", two[0]), ("whole", [two[1], two[0]], {x: 2.0})]
    return {"facts": facts, "steps": steps}
