"""custom_gradient, grad_pass_through, RegisterGradient with gradient_override_map."""

# A gradient's name can be registered once in a process, and a program may be built again.
REGISTERED = []


def build(tf):
    x = tf.placeholder(tf.float32, [2], name="x")
    v = tf.Variable([2.0, 3.0], name="v", use_resource=True)

    @tf.custom_gradient
    def log1pexp(t):
        e = tf.exp(t)

        def grad(dy):
            return dy * (1.0 - 1.0 / (1.0 + e))

        return tf.log(1.0 + e), grad

    @tf.custom_gradient
    def two(a, b):
        def grad(da, db):
            return da * 10.0 + db, db * 100.0

        return [a * b, a + b], grad

    def tenfold(op, grad):
        return 10.0 * grad * tf.ones_like(op.inputs[0])

    def reversed_gradient(op, grad):
        return -grad

    if not REGISTERED:
        REGISTERED.append(tf.RegisterGradient("GoldenTenfold")(tenfold))
        REGISTERED.append(tf.RegisterGradient("GoldenReversed")(reversed_gradient))

    first = log1pexp(x)
    w = tf.identity(v)
    a, b = two(x, w)

    @tf.custom_gradient
    def scaled(t):
        scale = tf.get_variable("scale", [2], initializer=tf.ones_initializer())

        def grad(dy, variables=None):
            return dy * 7.0, [tf.reduce_sum(dy) * tf.ones([2]) for _ in variables]

        return t * scale, grad

    with tf.variable_scope("custom", use_resource=True):
        s = scaled(x)
        rounded = tf.grad_pass_through(tf.round)(x)
    graph = tf.get_default_graph()
    with graph.gradient_override_map({"Identity": "GoldenTenfold", "Tanh": "GoldenReversed"}):
        c = tf.identity(x, name="overridden")
        d = tf.tanh(x, name="overridden_tanh")
        e = tf.sin(x)
    f = tf.tanh(x, name="usual")
    gradients = [
        tf.gradients(first, x), tf.gradients([a, b], [x, w]), tf.gradients(a, [x, v]),
        tf.gradients(s, [x] + tf.trainable_variables("custom")),
        tf.gradients(c, x), tf.gradients(d, x), tf.gradients(e, x), tf.gradients(f * d, x),
        tf.gradients(tf.gradients(first, x)[0], x),
        tf.gradients(rounded * x, x),
    ]  # fmt: skip
    feed = {x: [0.5, -1.5]}
    steps = [
        ("init", tf.global_variables_initializer()),
        ("values", [first, a, b, c, d, e, f], feed),
    ]
    steps += [(f"gradient {n}", g, feed) for n, g in enumerate(gradients)]
    return {"steps": steps}
