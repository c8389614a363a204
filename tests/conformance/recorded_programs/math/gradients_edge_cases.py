"""Corners of tf.gradients and custom_gradient: handles, nested slices, structures, recompute_grad, callable losses."""

import warnings


def build(tf):
    warnings.filterwarnings("ignore", "Converting sparse IndexedSlices to a dense Tensor")
    v = tf.get_variable("v", [2], initializer=tf.constant_initializer([1.0, 2.0]))
    r = tf.get_variable(
        "r", [2], initializer=tf.constant_initializer([3.0, 4.0]), use_resource=True
    )
    x = tf.placeholder(tf.float32, [2], name="x")
    loose = tf.placeholder(tf.float64, None, name="loose")
    zero = tf.UnconnectedGradients.ZERO
    unconnected = tf.gradients(x, [v, r, loose, tf.constant([1, 2])], unconnected_gradients=zero)
    read = r.read_value()
    both = tf.gradients(read * r * v, [read, r, v, r.handle], stop_gradients=v)
    handle = tf.gradients(r.handle, r, grad_ys=tf.ones([2]))
    narrow, wide = tf.gather(v, [0]), tf.gather(v, tf.constant([1, 1], tf.int64))
    slices = tf.gradients([narrow, wide], v, name="slices")
    mixed = tf.gradients([narrow, wide, v * 2.0], v, gate_gradients=True, name="mixed")
    scalar = tf.gradients([tf.gather(r, 0), tf.gather(r, [[1]])], r)
    seeded = tf.gradients(tf.gather(v, [0, 1]), v, grad_ys=[[5.0, 7.0]])
    halves = tf.split(x * 2.0, 2)
    part = tf.gradients(halves[0], [x, halves[0], halves[1]])
    many = tf.gradients([tf.exp(x), tf.sin(x), x * x, x], x, aggregation_method=1, name="tree")
    spread = tf.gradients([tf.exp(loose), tf.sin(loose), loose], loose, aggregation_method=2)
    chosen = tf.cond(x[0] > 0.0, lambda: tf.gather(v, [0]) * r[1], lambda: v[:1] * 2.0)
    through = tf.gradients(chosen, [v, r, x])

    @tf.custom_gradient
    def nested(a, b):
        def grad(da, db, dc):
            return da + dc, db * 10.0

        return {"a": a * 2.0, "b": [b, (a,)]}, grad

    made = nested(x, 3.0)
    with tf.variable_scope("inside", use_resource=True):

        @tf.custom_gradient
        def owning(a):
            w = tf.get_variable("w", [2], initializer=tf.ones_initializer())

            def grad(da, variables):
                return da * 5.0, [da * 7.0 for _ in variables]

            return a * w, grad

        owned = owning(x)
        recomputed = tf.recompute_grad(lambda a, b: tf.sin(a * r) + b)(x, v)
    own = tf.trainable_variables("inside")
    custom = [
        tf.gradients(list(made["b"][1]) + [made["a"]], x), tf.gradients(made["b"][0], x),
        tf.gradients(owned, [x] + own), tf.gradients(recomputed, [x, v, r], name="again"),
    ]  # fmt: skip

    optimizer = tf.train.GradientDescentOptimizer(0.1)
    with tf.name_scope("function"):
        pairs = optimizer.compute_gradients(lambda: tf.reduce_sum(tf.square(r) * x))
        train = optimizer.minimize(
            lambda: tf.reduce_sum(tf.gather(r, [1]) * r), var_list=[r], grad_loss=tf.constant(2.0)
        )
    groups = [unconnected, both, handle, slices, mixed, scalar, seeded, part, many, spread, through]
    groups += custom + [[g for g, _ in pairs]]
    facts = {
        "kinds": [[type(g).__name__ for g in group] for group in groups],
        "names": [[None if g is None else g.name for g in group] for group in groups],
        "made": [str(made["a"]), str(made["b"]), owned.name, [w.name for w in own]],
        "pairs": [w.name for _, w in pairs],
    }
    feed = {x: [0.5, -1.5], loose: [[1.0], [2.0]]}
    steps = [("init", tf.global_variables_initializer())]
    for n, group in enumerate(groups):
        steps.append((f"{n}", [g for g in group if g is not None], feed))
    steps += [("other branch", through[:2], {x: [-0.5, 1.0]}), ("train", train, feed), ("r", r)]
    return {"facts": facts, "steps": steps}
