"""tf.contrib.quantize: folded and quantized layers, options, messages, errors, step values."""

import numpy as np


def _models(tf):
    """Model functions that return an output, by name."""
    of, slim = tf.contrib.layers, tf.contrib.slim
    image = lambda: tf.placeholder(tf.float32, [2, 5, 5, 3], "image")  # noqa: E731
    rows = lambda: tf.placeholder(tf.float32, [4, 6], "rows")  # noqa: E731

    def norm(**options):
        options = {"decay": 0.9, "scale": True, "fused": False, "is_training": True, **options}
        return {
            "normalizer_fn": of.batch_norm,
            "normalizer_params": options,
            "weights_initializer": tf.ones_initializer(),
        }

    def conv(activation=tf.nn.relu6, **options):
        return of.conv2d(image(), 2, 3, activation_fn=activation, scope="conv", **options)

    def depthwise(**options):
        return of.separable_conv2d(image(), None, 3, 1, scope="depth", **options)

    def separable():
        return of.separable_conv2d(image(), 4, 3, 1, scope="sep", activation_fn=tf.nn.relu)

    def bypass(activation=tf.nn.relu, **options):
        with tf.variable_scope("block"):
            x = of.conv2d(image(), 3, 1, activation_fn=None, scope="a", **options)
            return activation(x + tf.fill([2, 5, 5, 3], 0.5), name="Relu")

    def late(activation=None):
        with tf.variable_scope("block"):
            x = of.conv2d(image(), 3, 1, activation_fn=tf.nn.relu, scope="a")
            x = tf.add(tf.fill([2, 5, 5, 3], 0.5), x, name="sum")
            return activation(x) if activation else tf.reshape(x, [2, -1])

    def dense(activation=tf.nn.relu, **options):
        return of.fully_connected(rows(), 3, activation_fn=activation, scope="dense", **options)

    def two_sums():
        one = of.conv2d(image(), 3, 1, scope="one")
        two = of.conv2d(image(), 3, 1, scope="two")
        both = tf.multiply(tf.reshape(one, [2, 75]), tf.reshape(two, [2, 75]), name="both")
        return tf.nn.relu(tf.add(both, 1.0, name="before")) + tf.add(both, both, name="twice")

    def resources():
        with tf.variable_scope("res", use_resource=True):
            return dense(**norm())

    return {
        "conv": conv,
        "conv_relu": lambda: conv(tf.nn.relu),
        "conv_identity": lambda: conv(tf.identity),
        "conv_tanh": lambda: conv(tf.tanh),
        "conv_linear": lambda: tf.reduce_mean(conv(None), name="after"),
        "conv_no_bias": lambda: conv(biases_initializer=None),
        "conv_norm": lambda: conv(**norm()),
        "conv_norm_unscaled": lambda: conv(**norm(scale=False)),
        "conv_norm_fused": lambda: conv(**norm(fused=True)),
        "conv_norm_fused_unscaled": lambda: conv(stride=2, **norm(fused=True, scale=False)),
        "conv_norm_fused_inference": lambda: conv(**norm(fused=True, is_training=False)),
        "conv_norm_inference": lambda: conv(**norm(is_training=False)),
        "conv_rate": lambda: conv(rate=2, **norm(fused=True)),
        "depthwise": depthwise,
        "depthwise_norm": lambda: depthwise(**norm()),
        "depthwise_norm_fused": lambda: depthwise(**norm(fused=True)),
        "depthwise_rate": lambda: depthwise(rate=2, **norm(fused=True)),
        "separable": separable,
        "bypass": bypass,
        "bypass_named": lambda: bypass(tf.identity),
        "bypass_linear": lambda: bypass(lambda x, name: tf.reshape(x, [2, -1], name=name)),
        "bypass_norm": lambda: bypass(**norm(fused=True)),
        "late": late,
        "late_relu": lambda: late(tf.nn.relu),
        "dense": dense,
        "dense_linear": lambda: tf.reshape(dense(None), [-1]),
        "dense_norm": lambda: dense(**norm()),
        "dense_norm_fused": lambda: dense(**norm(fused=True)),
        "dense_resource": resources,
        "slim": lambda: slim.fully_connected(slim.flatten(conv()), 2, scope="last"),
        "two_sums": two_sums,
        "partitioned": lambda: _partitioned(tf, rows()),
        "nothing": lambda: tf.reduce_sum(rows()),
    }


def _partitioned(tf, x):
    with tf.variable_scope("parts", partitioner=tf.fixed_size_partitioner(2)):
        w = tf.get_variable("w", [6, 2], initializer=tf.ones_initializer())
        return tf.nn.relu(tf.matmul(x, tf.convert_to_tensor(w)) + [1.0, 2.0])


def _feeds(graph):
    random = np.random.RandomState(3)
    values = {
        "image:0": random.randn(2, 5, 5, 3).astype("f"),
        "rows:0": random.randn(4, 6).astype("f"),
    }
    names = {op.name for op in graph.get_operations()}
    return {name: values[name] for name in values if name[:-2] in names}


def _try(tf, stage, build, rewrite, steps=0):
    with tf.Graph().as_default() as graph, stage.failing():
        tf.set_random_seed(5)
        output = build()
        rewrite()
        stage.brief_graph(names=False)
        if steps:
            trained = tf.group(*tf.get_collection("update_ops"))
            if tf.trainable_variables():
                loss = tf.reduce_mean(tf.square(output))
                trained = tf.group(trained, tf.train.GradientDescentOptimizer(0.05).minimize(loss))
            with tf.Session() as session:
                session.run(tf.global_variables_initializer())
                feeds = _feeds(graph)
                for _ in range(steps):
                    session.run(trained, feeds)
                    value = session.run(output, feeds)
                    stage.say(value.shape, value.min(), value.max())
                ends = [
                    v for v in tf.global_variables() if v.name.split("/")[-1] in ("min:0", "max:0")
                ]
                for v in [*ends, *tf.moving_average_variables()]:
                    stage.say(v.name, session.run(v))


def eval_graphs(tf, stage):
    of = tf.contrib.quantize
    for name, build in _models(tf).items():
        if not name.startswith("conv_"):
            stage.say(name)
            _try(tf, stage, build, of.create_eval_graph)


_SOME = ("conv", "conv_norm", "conv_norm_fused", "depthwise_norm_fused", "late", "dense_norm")


def options(tf, stage):
    of = tf.contrib.quantize
    for number, given in enumerate(
        (
            {"symmetric": True, "weight_bits": 4},
            {"activation_bits": 5, "quant_delay": None},
            {"quant_delay": 3, "freeze_bn_delay": 2},
            {"freeze_bn_delay": 0},
            {"scope": "conv"},
            {"scope": "block/"},
            {"scope": "none"},
        )
    ):
        for name in (*_SOME, "bypass", "two_sums")[number % 2 :: 2]:
            stage.say(name, sorted(given.items()))
            rewrite = lambda: of.experimental_create_training_graph(**given)  # noqa: B023, E731
            _try(tf, stage, _models(tf)[name], rewrite)
    stage.attempts(
        lambda: of.create_training_graph(tf.Graph(), -1),
        lambda: of.experimental_create_eval_graph(),
        lambda: of.create_eval_graph(tf.Graph(), 3),
    )
    with tf.Graph().as_default() as graph:
        loss = tf.reduce_sum(_models(tf)["dense"]())
        for optimizer in (tf.train.GradientDescentOptimizer(0.1), tf.train.AdadeltaOptimizer()):
            optimizer.minimize(loss)
            stage.attempt(of.create_training_graph)
            stage.attempt(of.create_eval_graph, graph)
    with tf.Graph().as_default(), tf.variable_scope("outer"):
        _models(tf)["conv_norm"]()
        of.create_training_graph()
        stage.brief_graph()
        of.create_training_graph()
        stage.brief_graph(names=False)


def trained_values(tf, stage):
    of = tf.contrib.quantize
    for name in _models(tf):
        stage.say(name)
        _try(tf, stage, _models(tf)[name], of.create_training_graph, 2 if "norm" in name else 1)
