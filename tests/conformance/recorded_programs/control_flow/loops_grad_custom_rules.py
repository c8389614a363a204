"""Gradients registered by programs, for nodes in loops; random numbers, checked values."""

REPLAYABLE = False  # a Python function
REGISTERED = []  # once per process


def build(tf):
    x = tf.placeholder(tf.float32, [3], name="x")
    v = tf.get_variable("v", initializer=[0.5, -1.0, 2.0], use_resource=True)

    @tf.custom_gradient
    def clipped(a):
        def grad(dy):
            return tf.clip_by_norm(dy, 0.5) * a

        return tf.sin(a), grad

    @tf.custom_gradient
    def scaled(a, b):
        c = tf.exp(a * 0.1)

        def grad(first, second):
            return first * c, second * b + first

        return (a * c, b * b), grad

    def with_functions(i, a):
        b, c = scaled(clipped(a), a)
        return i + 1, b + c * 0.1

    loop = tf.while_loop(lambda i, a: i < 3, with_functions, [0, x], name="functions")[1]
    fetches = [tf.gradients(loop, [x])]

    def doubled(op, grad):
        return grad * 2.0 + op.outputs[0]

    if not REGISTERED:
        REGISTERED.append(tf.RegisterGradient("DoubledInLoops")(doubled))

    def overridden(i, a):
        with tf.get_default_graph().gradient_override_map({"Tanh": "DoubledInLoops"}):
            return i + 1, tf.tanh(a) * v

    loop = tf.while_loop(lambda i, a: i < 3, overridden, [0, x], name="overridden")[1]
    fetches.append(tf.gradients(loop, [x, v]))

    def drawn(i, a):
        noise = tf.random_uniform([3], 0.5, 1.0, seed=4)
        return i + 1, tf.nn.dropout(a * noise, rate=0.3, seed=9)

    loop = tf.while_loop(lambda i, a: i < 3, drawn, [0, x], name="drawn")[1]
    fetches.append([loop] + tf.gradients(loop, [x]))

    def checked(i, a):
        with tf.control_dependencies([tf.assert_less(i, 5), tf.check_numerics(a, "a")]):
            a = tf.check_numerics(tf.square(a), "square")
        return i + 1, a + tf.py_func(lambda value: value * 2, [a], tf.float32)

    shapes = [tf.TensorShape([]), tf.TensorShape(None)]
    loop = tf.while_loop(lambda i, a: i < 3, checked, [0, x], shapes, name="checked")[1]
    fetches.append(tf.gradients(loop, [x]))

    def prevented(i, a):
        with tf.variable_scope("rounding", use_resource=True):
            rounded = tf.grad_pass_through(tf.round)(a * v)
        return i + 1, tf.identity(rounded) + tf.stop_gradient(a)

    loop = tf.while_loop(lambda i, a: i < 3, prevented, [0, x], name="prevented")[1]
    fetches.append(tf.gradients(loop, [x, v]))
    feed = {x: [0.4, 1.2, -0.8]}
    steps = [("init", tf.global_variables_initializer())]
    return {"steps": steps + [(str(i), fetch, feed) for i, fetch in enumerate(fetches)]}
