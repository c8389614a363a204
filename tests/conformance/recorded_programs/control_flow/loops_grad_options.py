"""Options of tf.gradients for loops: colocation, gating, aggregation, grad_ys, stop_gradients; devices."""


def build(tf):
    x = tf.placeholder(tf.float32, [2], name="x")
    w = tf.constant([0.5, 2.0], name="w")

    def loop(name, start):
        def body(i, a, b):
            with tf.device("/cpu:0"):
                product = a * w
            c = product * b + tf.sin(a) * w
            return i + 1, c, tf.cond(i > 0, lambda: b * w + a, lambda: b * a)

        return tf.while_loop(lambda i, *_: i < 3, body, [0, start, x], name=name)[1:]

    with tf.device("/job:localhost/device:CPU:0"):
        on_device = loop("on_device", x * 2.0)
    plain = loop("plain", x)
    method = tf.AggregationMethod
    ys = [plain[0], on_device[1]]
    fetches = [
        tf.gradients(ys, [x, w], colocate_gradients_with_ops=True, name="colocated"),
        tf.gradients(ys, [x, w], gate_gradients=True, name="gated"),
        tf.gradients(ys, [x, w], aggregation_method=method.EXPERIMENTAL_TREE, name="tree"),
        tf.gradients(ys, [x, w], aggregation_method=method.EXPERIMENTAL_ACCUMULATE_N, name="n"),
        tf.gradients(ys, [x, w], grad_ys=[x, None], name="started"),
        tf.gradients(ys, [w], stop_gradients=[x * 1.0, x], name="ended"),
        tf.gradients(plain[1], [x], stop_gradients=[plain[0], w], name="stopped"),
        tf.gradients(on_device, [x, w], None, "all", True, True),
    ]
    with tf.device("/device:CPU:0"):
        fetches.append(tf.gradients(plain, [x], name="with_device"))
    with tf.control_dependencies([tf.identity(w, name="before")]):
        fetches.append(tf.gradients(plain, [x, w], name="after"))
    with tf.name_scope("scope"):
        fetches.append(tf.gradients(on_device, [w]))
    optimizer = tf.train.GradientDescentOptimizer(0.1)
    v = tf.Variable([1.0, 2.0], name="v")
    trained = tf.while_loop(
        lambda i, a: i < 3, lambda i, a: (i + 1, a * v), [0, x], name="trained"
    )[1]
    for gate in (optimizer.GATE_NONE, optimizer.GATE_OP, optimizer.GATE_GRAPH):
        fetches.append(
            [
                g
                for g, _ in optimizer.compute_gradients(
                    trained, gate_gradients=gate, colocate_gradients_with_ops=True
                )
            ]
        )
    feed = {x: [0.7, -0.4]}
    steps = [("init", v.initializer)]
    return {"steps": steps + [(str(i), fetch, feed) for i, fetch in enumerate(fetches)]}
