"""tf.contrib.layers: recomputed functions, reversible blocks, sums and summaries with all options."""

# ruff: noqa: E731

from tests.conformance.scenes import with_gradients


def _dense(tf, name="w", units=3, activation=None):
    def layer(x, side=None):
        w = tf.get_variable(
            name, [x.shape[-1], units], initializer=tf.constant_initializer(0.25), use_resource=True
        )
        y = tf.matmul(x, w)
        y = y if side is None else y * side[0]
        return activation(y) if activation else y

    return layer


def computed_again(tf, stage):
    of = tf.contrib.layers
    x = lambda: tf.constant([[1.0, 2.0, 3.0], [0.5, -1.0, 2.0]])
    sloped = with_gradients(tf)

    def trained(function, *inputs):
        def build():
            with tf.variable_scope("outer"):
                given = [make() for make in inputs]
                y = function(*given)
                loss = tf.add_n([tf.reduce_sum(each * each) for each in tf.nest.flatten(y)])
                return y, tf.gradients(loss, [*given, *tf.trainable_variables()])

        return build

    def named(name, **options):
        def function(x):
            with tf.variable_scope(name):
                return _dense(tf, activation=tf.tanh)(x)

        return of.recompute_grad(**options)(function) if options else of.recompute_grad(function)

    def told(x, y, is_recomputing=False):
        with tf.variable_scope("told"):
            stage.say("called", is_recomputing)
            z = _dense(tf)(x)
            return z, z * y

    def alone(x):
        return tf.exp(x) * tf.sin(x)

    def unnamed(x):
        with tf.variable_scope(None, default_name="own"):
            return _dense(tf)(x)

    def other(x):
        with tf.variable_scope("other"):
            w = tf.get_variable("w", [3], use_resource=True)
            return x * w if tf.get_variable_scope().reuse is False else x

    def closing():
        outside = tf.constant(1.0, name="outside")
        return of.recompute_grad(lambda x: x * outside)

    stage.each(
        {
            "plain": trained(named("f"), x),
            "by data": trained(named("f", use_data_dep=True), x),
            "together": trained(named("f", tupleize_grads=True), x),
            "together by data": trained(named("f", use_data_dep=True, tupleize_grads=True), x),
            "told": trained(of.recompute_grad(told), x, x),
            "no variables": lambda: sloped(of.recompute_grad(alone), x()),
            "twice": trained(lambda x: named("f")(named("g")(x)), x),
            "unnamed": trained(of.recompute_grad(unnamed), x),
            "closing": lambda: closing()(x()),
            "numbers": lambda: of.recompute_grad(alone)(3.0),
            "other": trained(of.recompute_grad(other), x),
        },
        graph="sum",
    )


def backward_blocks(tf, stage):
    of = tf.contrib.layers
    x1 = lambda: tf.constant([[1.0, 2.0, 3.0], [0.5, -1.0, 2.0]])
    x2 = lambda: tf.constant([[0.0, 1.0, -1.0], [2.0, 0.5, 0.25]])
    f, g = _dense(tf, activation=tf.tanh), _dense(tf, "v")
    side = lambda: [tf.constant([2.0, 0.5, 1.0])]

    def trained(make, **options):
        def build():
            a, b = x1(), x2()
            sides = {k: v() if callable(v) else v for k, v in options.items()}
            ys = make(a, b, **sides)
            loss = tf.reduce_sum(ys[0] * ys[0] + tf.sin(ys[1]))
            inputs = [
                a,
                b,
                *[t for s in ("f_side_input", "g_side_input") for t in sides.get(s) or ()],
            ]
            return ys, tf.gradients(loss, [*inputs, *tf.trainable_variables()])

        return build

    def both_ways(**options):
        def build():
            block = of.RevBlock(f, g, 2, **options)
            ys = block.forward(x1(), x2())
            told = [
                block.num_layers,
                [v.name for v in block.trainable_weights],
                block.name,
                block.built,
            ]
            return ys, block.backward(*ys), tf.constant(str(told))

        return build

    stage.each(
        {
            "plain": trained(lambda a, b, **o: of.rev_block(a, b, f, g, is_training=False, **o)),
            "layers": trained(
                lambda a, b, **o: of.rev_block(a, b, [f, f], g, 2, **o), g_side_input=side
            ),
            "sides": trained(
                lambda a, b, **o: of.rev_block(a, b, f, g, **o),
                f_side_input=side,
                g_side_input=side,
            ),
            "forward and back": both_ways(),
        },
        graph=False,
    )
