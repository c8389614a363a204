"""Second derivatives: of quadratic and other functions, of several xs, of unknown shapes."""


def build(tf):
    x = tf.placeholder(tf.float32, [3], name="x")
    m = tf.placeholder(tf.float64, [None, 2], name="m")
    v = tf.Variable([[1.0, 2.0]], name="v")
    r = tf.get_variable("r", initializer=[0.5, -1.0], use_resource=True)
    a = tf.constant([[2.0, 1.0, 0.0], [1.0, 3.0, -1.0], [0.0, -1.0, 1.0]])
    quadratic = tf.reduce_sum(x * tf.linalg.matvec(a, x))
    fetches = tf.hessians(quadratic, x)
    fetches += tf.hessians([tf.reduce_sum(tf.exp(x) * x[::-1]), quadratic], [x])
    fetches += tf.hessians(tf.reduce_prod(m) + tf.reduce_sum(tf.sin(m)), m, name="named")
    fetches += tf.hessians(tf.reduce_sum(tf.square(v) * v * r[0]), [v], "h", True, True)
    with tf.name_scope("scope"):
        fetches += tf.hessians(tf.reduce_sum(tf.tanh(x)) ** 2, [x], aggregation_method=1)
    steps = [("init", tf.global_variables_initializer())]
    steps.append(("hessians", fetches, {x: [0.5, 1.0, -2.0], m: [[1.0, 2.0], [0.5, -1.0]]}))
    return {"steps": steps, "facts": {"shapes": [str(h.shape) for h in fetches]}}
