"""Gradient tapes in a graph: ones and zeros of static and unknown shapes, watched tensors, missing gradients."""


def build(tf):
    facts = []
    x = tf.placeholder(tf.float32, [None, 3])
    z = tf.placeholder(tf.float32, [2, 3])
    y = tf.placeholder(tf.float32)
    v = tf.get_variable("v", [3, 2], use_resource=True)
    w = tf.get_variable("w", use_resource=True, initializer=tf.ones([3, 2]))
    fetches = []

    def check(f, sources, watch=(), **kwargs):
        with tf.GradientTape() as tape:
            tape.watch(list(watch))
            target = f()
        try:
            found = tape.gradient(target, sources, **kwargs)
        except (LookupError, NotImplementedError) as error:
            facts.append(str(error).split("\n")[0])
            return
        facts.append(
            [
                grad if grad is None else [grad.name, str(getattr(grad, "shape", ""))]
                for grad in found
            ]
        )
        fetches.extend(grad for grad in found if isinstance(grad, tf.Tensor))

    def loop():
        return tf.while_loop(lambda i: i < 3.0, lambda i: i + y, [y]) + 0.0

    check(lambda: x * y, [x], [y])
    check(lambda: x * y, [x, y], [y])
    check(lambda: tf.matmul(x, v), [x])
    check(lambda: tf.matmul(x, v), [x, w], unconnected_gradients="zero")
    check(lambda: tf.matmul(x, v), [x, z, y], [x], unconnected_gradients="zero")
    check(lambda: tf.matmul(z, v), [z, v], [z])
    check(lambda: tf.matmul(z, v), [v], [z])
    check(lambda: [tf.matmul(z, v), z], [v, z], [z])
    labels = tf.constant([0, 1])
    check(
        lambda: tf.nn.sparse_softmax_cross_entropy_with_logits(
            logits=tf.matmul(z, v), labels=labels
        ),
        [v],
    )
    check(
        lambda: tf.nn.softmax_cross_entropy_with_logits_v2(
            logits=tf.matmul(z, v), labels=tf.matmul(z, v)
        ),
        [v],
        [z],
    )
    check(
        lambda: tf.nn.fused_batch_norm(tf.reshape(x, [1, 1, -1, 3]), v[:, 0], v[:, 1])[0], [v], [x]
    )
    check(lambda: tf.unstack(z * z, axis=1)[1], [z], [z])
    check(lambda: tf.unstack(x * x, axis=1)[1], [x], [x])
    check(lambda: tf.nn.top_k(x * x)[0], [x], [x])
    check(lambda: tf.nn.embedding_lookup(v, [0, 1, 1]), [v])
    check(lambda: tf.nn.embedding_lookup(v * 2.0, [0, 1, 1]) + tf.gather(v, [0]), [v])
    check(lambda: tf.unique(x[:, 0])[0], [x], [x])
    check(lambda: tf.linalg.svd(x)[0], [x], [x])
    check(lambda: tf.nn.moments(x * 1.0, [0])[1], [x], [x])
    check(lambda: tf.split(z * z, 3, 1)[0:2], [z], [z])
    check(loop, [y], [y])
    check(lambda: tf.cond(y > 3.0, lambda: y, lambda: -y), [y], [y])
    with tf.GradientTape(persistent=True) as tape:
        tape.watch([x, y])
        hidden = tf.nn.relu(tf.matmul(x, v))
        left, right = tf.split(hidden, 2, 1)
        best, _ = tf.nn.top_k(left * y)
    for target in (hidden, right, [best, hidden], [best, y]):
        fetches.extend(tape.gradient(target, [y, v], unconnected_gradients="zero"))

    def minimized(optimizer, *arguments, **kwargs):
        try:
            steps.append(optimizer.minimize(*arguments, **kwargs))
        except ValueError as error:
            facts.append(str(error).split("\n")[0])

    steps = []
    sgd = tf.keras.optimizers.SGD
    minimized(sgd(0.1), lambda: tf.reduce_sum(v * v) * w[0, 0], [v, w])
    minimized(sgd(0.1), lambda: tf.reduce_sum(v * v), lambda: v, name="named")
    minimized(sgd(0.1), lambda: tf.reduce_sum(v * v), [v], grad_loss=[tf.constant(2.0)])
    minimized(sgd(0.1), lambda: tf.constant(2.0), [v])
    minimized(tf.keras.optimizers.Adam(clipnorm=1.0), lambda: tf.reduce_sum(w), [w, v])
    feeds = {x: [[1.0, 2.0, 3.0], [4.0, 5.0, 7.0]], z: [[1.0, -2.0, 3.0], [4.0, 0.5, 7.0]], y: 2.0}
    return {
        "facts": {"found": facts},
        "steps": [
            ("initialized", tf.global_variables_initializer()),
            ("assigned", v.assign([[1.0, 2.0], [-0.5, 3.0], [0.25, 1.5]]).op),
            ("gradients", fetches, feeds),
            *((step.name, step) for step in steps),
            ("variables", [v, w]),
        ],
    }
