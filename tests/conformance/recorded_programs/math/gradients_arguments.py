"""tf.gradients with every argument, stop_gradient, node names, third order."""

# 1 - tanh(6)^2 loses digits to cancellation.
TOLERANCE = 3e-5  # float32; the maximum difference was below 2e-5


def build(tf):
    x = tf.Variable([1.0, 2.0], name="x")
    y = tf.constant([3.0, -4.0], name="y")
    u = tf.constant(5.0, name="unrelated")
    i = tf.constant([1, 2], name="integers")
    z = x * y
    w = tf.tanh(z)
    s = tf.reduce_sum(w)
    one = tf.gradients(s, [x, y, u])
    seeded = tf.gradients([w, z], [x, y], grad_ys=[tf.constant([1.0, 0.5]), None])
    several = tf.gradients([s, z, tf.reduce_sum(x)], x, name="several")
    stopped = tf.gradients(s + tf.reduce_sum(z), [x, y], stop_gradients=[z])
    located = tf.gradients(s, [x], colocate_gradients_with_ops=True, name="located")
    gated = tf.gradients(s, [x], gate_gradients=True, name="gated")
    zero = tf.gradients(s, [u, x], unconnected_gradients=tf.UnconnectedGradients.ZERO)
    middle = tf.gradients(s, [z, w, s])
    blocked = tf.gradients(tf.stop_gradient(z) * x, x)
    second = tf.gradients(one[0], x)
    third = tf.gradients(second[0], x)
    whole = tf.gradients(tf.reduce_sum(tf.cast(i, tf.float32) * y), [i, y])
    aggregated = [
        tf.gradients([w, z, x * 2.0, tf.square(x)], x, aggregation_method=method)
        for method in (
            tf.AggregationMethod.ADD_N,
            tf.AggregationMethod.EXPERIMENTAL_TREE,
            tf.AggregationMethod.EXPERIMENTAL_ACCUMULATE_N,
        )
    ]
    with tf.name_scope("scope"):
        inside = tf.gradients(x * x, x)
    with tf.device("/cpu:0"):
        placed = tf.gradients(tf.exp(x), x)
    shared = tf.identity(x)
    diamond = tf.gradients(shared * shared + shared / y - tf.sqrt(shared), [shared, x])
    print_op = tf.gradients(tf.Print(x * 2.0, [x], "printed"), x)
    fetched = [
        one[:2], seeded, several, stopped, located, gated, zero, middle, blocked, second, third,
        whole, *aggregated, inside, placed, diamond,
    ]  # fmt: skip
    facts = {
        "names": [None if g is None else g.name for g in one + seeded + several + stopped + zero],
        "whole": [g is None for g in whole],
        "stopped": [g is None for g in stopped],
    }
    fetched = [[g for g in gradients if g is not None] for gradients in fetched]
    steps = [("init", x.initializer)] + [(f"{n}", f) for n, f in enumerate(fetched)]
    return {"facts": facts, "steps": steps + [("print", print_op)]}
