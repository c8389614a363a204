"""Gradients: unconnected, stopped, repeated, sparse and taped ones; Hessians, checkers, invalid arguments."""


def tapes(tf, stage):
    def of(function, *reads, **given):
        x, z = tf.constant([1.0, 2.0]), tf.constant(3.0)
        with tf.GradientTape(**given) as tape:
            tape.watch([x, z])
            y = function(tape, x, z)
        return [tape.gradient(y, *read) for read in reads or [([x, z],)]]

    def jacobians(x, function):
        with tf.GradientTape(persistent=True) as tape:
            tape.watch(x)
            y = function(x)
        return tape.jacobian(y, x), tape.batch_jacobian(y, x) if x.shape.ndims > 1 else y

    def nested():
        x = tf.constant(3.0)
        with tf.GradientTape() as outer:
            outer.watch(x)
            with tf.GradientTape() as inner:
                inner.watch(x)
                y = x * x * x
            first = inner.gradient(y, x)
        return first, outer.gradient(first, x)

    def variables(**given):
        v = tf.get_variable("v", initializer=2.0, use_resource=True)
        w = tf.get_variable("w", initializer=2.0, use_resource=True, trainable=False)
        with tf.GradientTape(**given) as tape:
            y = v * v * w
            names = [each.name for each in tape.watched_variables()]
        return names, [str(g is None) for g in tape.gradient(y, [v, w])]

    rows = [[1.0, 2.0], [3.0, 4.0]]
    cases = {
        "nested": nested,
        "variables": variables,
        "jacobian_of_none": lambda: _empty_jacobian(tf),
        "batch_jacobian": lambda: jacobians(tf.constant(rows), lambda x: x * x[:, :1]),
        "batch_shapes": lambda: jacobians(tf.constant(rows), lambda x: x[:1]),
        "function": lambda: of(lambda t, x, z: tf.function(lambda a, b: a * a * b)(x, z)),
        "cond": lambda: of(lambda t, x, z: tf.cond(z > 2.0, lambda: x * z, lambda: x)),
    }
    stage.each(cases, graph=False)


def _empty_jacobian(tf):
    x = tf.constant([1.0, 2.0], tf.float64)
    with tf.GradientTape(persistent=True) as tape:
        tape.watch(x)
        y = x[:0] * 2.0
    return tape.jacobian(y, x)


def registered(tf, stage):
    stage.attempt(tf.RegisterGradient, 3)
    stage.attempt(tf.RegisterGradient("Square"), lambda op, grad: grad)
    tf.RegisterGradient("OfThisScene")(lambda op, grad: grad * 7.0)
    tf.RegisterGradient("OfThisSceneTwo")(lambda op, grad: [grad, grad])
    tf.RegisterGradient("OfThisSceneNone")(lambda op, grad: None)
    tf.RegisterGradient("OfThisSceneShape")(lambda op, grad: tf.ones([3]))
    tf.RegisterGradient("OfThisSceneDtype")(lambda op, grad: tf.constant(1))
    graph = tf.get_default_graph()
    x = tf.constant([1.0, 2.0])
    for name in (
        "OfThisScene",
        "OfThisSceneTwo",
        "OfThisSceneNone",
        "OfThisSceneShape",
        "OfThisSceneDtype",
        "none",
    ):
        override = graph.gradient_override_map
        with stage.failing(), override({"Square": name}), tf.Session() as session:
            y = tf.square(x, name=name)
            with graph.gradient_override_map({"Identity": "OfThisScene"}):
                y = tf.identity(y)
            (gradient,) = tf.gradients(y, x)
            stage.say(name, gradient if gradient is None else session.run(gradient))
    tf.NotDifferentiable("OfThisSceneNothing")
    stage.attempt(tf.NotDifferentiable, 3)
    stage.say(graph.get_operations()[1].get_attr("_gradient_op_type"))
