"""The functions of `tf.layers`: each argument by keyword and by position, unknown sizes, reuse, training, refusals."""

import numpy as np


def _data(*shape):
    count = int(np.prod(shape))
    return ((np.arange(count) % 7 - 2.0) / 4).astype(np.float32).reshape(shape)


_HALF = 0.5


def _ones(tf):
    return tf.ones_initializer()


def _said(tf, stage, cases):
    """Says of each case, all in one graph, name, type, shape, and, of those without a fault, the value."""
    with tf.Graph().as_default(), tf.Session() as session:
        tf.set_random_seed(1)
        for name, make in cases.items():
            with stage.failing():
                before = len(tf.global_variables())
                with tf.variable_scope(name.replace(" ", "_"), initializer=tf.ones_initializer()):
                    y = make()
                made = tf.global_variables()[before:]
                stage.say(name, y.name, y.op.type, str(y.shape), y.dtype.name)
                stage.say(*[(v.name, str(v.shape), v.dtype.name) for v in made])
                session.run([v.initializer for v in made])
                stage.say(session.run(y))
        for key in ("regularization_losses", "update_ops", "trainable_variables"):
            stage.say(key, *[x.name for x in tf.get_collection(key)])
        stage.brief_graph(names=False)


def _all_of_kernel(tf):
    return {
        "activation": tf.nn.relu,
        "kernel_initializer": tf.constant_initializer(0.5),
        "bias_initializer": tf.constant_initializer(0.25),
        "kernel_regularizer": tf.nn.l2_loss,
        "bias_regularizer": tf.nn.l2_loss,
        "activity_regularizer": tf.reduce_sum,
        "kernel_constraint": tf.nn.relu,
        "bias_constraint": tf.abs,
        "trainable": False,
        "name": "named",
    }


def _unknown(tf, value, shape=None):
    return tf.placeholder_with_default(value, shape)


def dense_and_others(tf, stage):
    f = tf.layers
    x = _data(2, 3)
    ones = _ones(tf)
    _said(
        tf,
        stage,
        {
            "dense": lambda: f.dense(x, 2),
            "dense all": lambda: f.dense(x, 2, **_all_of_kernel(tf)),
            "dense by position": lambda: f.dense(
                *(x, 2, tf.tanh, False, ones, ones, tf.nn.l2_loss, None, None, None, None, True),
                *("p", None),
            ),
            "dense no bias": lambda: f.dense(x, 2, use_bias=False),
            "dense of three": lambda: f.dense(_data(2, 2, 3), 2),
            "dense unknown batch": lambda: f.dense(_unknown(tf, x, [None, 3]), 2),
            "dense unknown": lambda: f.dense(_unknown(tf, x), 2),
            "dense unknown size": lambda: f.dense(_unknown(tf, x, [2, None]), 2),
            "dense vector": lambda: f.dense(x[0], 2),
            "dense integers": lambda: f.dense(np.ones([1, 2], np.int32), 2),
            "dense doubles": lambda: f.dense(x.astype(np.float64), 1),
            "dense float units": lambda: f.dense(x, 2.5),
            "dense text units": lambda: f.dense(x, "2"),
            "dense zero": lambda: f.dense(x, 0),
            "dense empty": lambda: f.dense(np.zeros([0, 3], np.float32), 2),
            "dense list": lambda: f.dense([[1.0, 2.0]], 1),
            "dense unknown option": lambda: f.dense(x, 2, size=3),
            "dense activation text": lambda: f.dense(x, 2, activation="relu"),
            "flatten": lambda: f.flatten(_data(2, 3, 2)),
            "flatten first": lambda: f.flatten(_data(1, 2, 3, 1), data_format="channels_first"),
            "flatten wrong": lambda: f.flatten(_data(1, 2), data_format="NHWC"),
            "flatten vector": lambda: f.flatten(x[0], name="fl"),
            "flatten scalar": lambda: f.flatten(tf.constant(1.0)),
            "flatten unknown": lambda: f.flatten(_unknown(tf, _data(2, 3, 2))),
            "flatten unknown batch": lambda: f.flatten(_unknown(tf, _data(2, 3, 2), [None, 3, 2])),
            "flatten unknown size": lambda: f.flatten(_unknown(tf, _data(2, 3, 2), [2, None, 2])),
            "dropout": lambda: f.dropout(x),
            "dropout trained": lambda: f.dropout(x, 0.25, seed=3, training=True),
            "dropout noise": lambda: f.dropout(x, _HALF, [2, 1], 3, True, "dr"),
            "dropout noise none": lambda: f.dropout(
                x, noise_shape=[None, 1], seed=3, training=True
            ),
            "dropout zero": lambda: f.dropout(x, 0.0, training=True),
            "dropout all": lambda: f.dropout(x, 1.0, training=True),
            "dropout negative": lambda: f.dropout(x, -0.5, training=True),
            "dropout fed": lambda: f.dropout(
                x, seed=1, training=tf.placeholder_with_default(False, [])
            ),
            "dropout number": lambda: f.dropout(x, seed=1, training=1),
            "dropout integers": lambda: f.dropout(np.ones([2], np.int32), training=True),
            "dropout tensor": lambda: f.dropout(x, tf.constant(0.25), seed=2, training=True),
        },
    )


def convolutions(tf, stage):
    f = tf.layers
    a, b, c = _data(1, 5, 2), _data(1, 4, 3, 2), _data(1, 2, 3, 2, 1)
    _said(
        tf,
        stage,
        {
            "one": lambda: f.conv1d(a, 2, 2),
            "one all": lambda: f.conv1d(a, 2, [3], 2, "same", **_all_of_kernel(tf)),
            "one causal": lambda: f.conv1d(a, 1, 2, padding="causal", dilation_rate=2),
            "one first": lambda: f.conv1d(a, 1, 2, data_format="channels_first", use_bias=False),
            "one first bias": lambda: f.conv1d(a, 1, 2, data_format="channels_first"),
            "one rank": lambda: f.conv1d(b, 1, 2),
            "one unknown": lambda: f.conv1d(_unknown(tf, a), 1, 2),
            "one unknown size": lambda: f.conv1d(_unknown(tf, a, [None, None, 2]), 1, 2),
            "one unknown channels": lambda: f.conv1d(_unknown(tf, a, [1, 5, None]), 1, 2),
            "one filters": lambda: f.conv1d(a, None, 2),
            "two": lambda: f.conv2d(b, 2, 2),
            "two all": lambda: f.conv2d(b, 1, (2, 3), (2, 1), "SAME", **_all_of_kernel(tf)),
            "two dilated": lambda: f.conv2d(b, 1, 2, dilation_rate=(1, 2)),
            "two both": lambda: f.conv2d(b, 1, 2, strides=2, dilation_rate=2),
            "two first": lambda: f.conv2d(b, 1, 2, data_format="channels_first"),
            "two format": lambda: f.conv2d(b, 1, 2, data_format="NHWC"),
            "two causal": lambda: f.conv2d(b, 1, 2, padding="causal"),
            "two strides": lambda: f.conv2d(b, 1, 2, strides=(1, 2, 1)),
            "two kernel": lambda: f.conv2d(b, 1, "ab"),
            "two kernel float": lambda: f.conv2d(b, 1, 2.5),
            "two kernel none": lambda: f.conv2d(b, 1, None),
            "two large": lambda: f.conv2d(b, 1, 5),
            "two unknown": lambda: f.conv2d(_unknown(tf, b, [None, None, None, 2]), 1, 2, 2),
            "two same dilated": lambda: f.conv2d(b, 1, 2, padding="same", dilation_rate=2),
            "three": lambda: f.conv3d(c, 1, 2, padding="same"),
            "three all": lambda: f.conv3d(c, 1, (1, 2, 1), (1, 1, 2), **_all_of_kernel(tf)),
            "three dilated": lambda: f.conv3d(c, 1, (1, 2, 1), dilation_rate=(1, 2, 1)),
            "three unknown": lambda: f.conv3d(_unknown(tf, c, [None, 2, None, 2, 1]), 1, 1),
        },
    )


def transposed_and_separable(tf, stage):
    f = tf.layers
    a, b, c = _data(1, 4, 2), _data(1, 2, 3, 2), _data(1, 1, 2, 2, 1)
    ones = _ones(tf)
    separable = {
        "activation": tf.nn.relu,
        "depthwise_initializer": tf.constant_initializer(0.5),
        "pointwise_initializer": tf.constant_initializer(0.25),
        "bias_initializer": ones,
        "depthwise_regularizer": tf.nn.l2_loss,
        "pointwise_regularizer": tf.nn.l2_loss,
        "bias_regularizer": tf.nn.l2_loss,
        "activity_regularizer": tf.reduce_sum,
        "depthwise_constraint": tf.abs,
        "pointwise_constraint": tf.abs,
        "bias_constraint": tf.abs,
        "trainable": False,
        "name": "named",
    }
    _said(
        tf,
        stage,
        {
            "two": lambda: f.conv2d_transpose(b, 1, 2),
            "two all": lambda: f.conv2d_transpose(
                b, 1, (2, 3), (2, 1), "same", **_all_of_kernel(tf)
            ),
            "two no bias": lambda: f.conv2d_transpose(b, 1, 2, use_bias=False),
            "two unknown": lambda: f.conv2d_transpose(_unknown(tf, b, [None, None, 3, 2]), 1, 2, 2),
            "two unknown channels": lambda: f.conv2d_transpose(
                _unknown(tf, b, [1, 2, 3, None]), 1, 2
            ),
            "two rank": lambda: f.conv2d_transpose(a, 1, 2),
            "two causal": lambda: f.conv2d_transpose(b, 1, 2, padding="causal"),
            "three": lambda: f.conv3d_transpose(c, 1, 2),
            "three all": lambda: f.conv3d_transpose(
                c, 1, 2, (1, 2, 1), "same", **_all_of_kernel(tf)
            ),
            "three unknown": lambda: f.conv3d_transpose(_unknown(tf, c, [None] * 4 + [1]), 1, 2),
            "three no bias": lambda: f.conv3d_transpose(c, 2, 1, use_bias=False),
            "three rank": lambda: f.conv3d_transpose(b, 1, 2),
            "apart one": lambda: f.separable_conv1d(a, 1, 2),
            "apart one all": lambda: f.separable_conv1d(
                a, 2, 3, 2, "same", depth_multiplier=2, **separable
            ),
            "apart one dilated": lambda: f.separable_conv1d(
                a, 1, 2, dilation_rate=2, use_bias=False
            ),
            "apart one unknown": lambda: f.separable_conv1d(_unknown(tf, a, [None, None, 2]), 1, 2),
            "apart two": lambda: f.separable_conv2d(b, 1, 2),
            "apart two all": lambda: f.separable_conv2d(
                b, 2, (2, 3), 2, "same", depth_multiplier=2, **separable
            ),
            "apart two dilated": lambda: f.separable_conv2d(b, 1, 2, dilation_rate=(1, 2)),
            "apart two no bias": lambda: f.separable_conv2d(b, 1, 1, use_bias=False),
            "apart two unknown": lambda: f.separable_conv2d(
                _unknown(tf, b, [None, None, None, 2]), 1, 2
            ),
            "apart two channels": lambda: f.separable_conv2d(
                _unknown(tf, b, [1, 2, 3, None]), 1, 2
            ),
            "apart two rank": lambda: f.separable_conv2d(a, 1, 2),
        },
    )


def pooling(tf, stage):
    f = tf.layers
    shapes = {1: (1, 5, 2), 2: (1, 4, 3, 2), 3: (1, 2, 3, 2, 1)}
    cases = {}
    for kind in ("max", "average"):
        for rank, shape in shapes.items():
            function = getattr(f, f"{kind}_pooling{rank}d")
            x = _data(*shape)
            first = "channels_first"
            for name, given, options in (
                ("plain", (2, 1), {}),
                ("same", (3, 2), {"padding": "same", "name": "p"}),
                ("first", (1, 2), {"data_format": first}),
                ("position", (1, 1, "VALID", "channels_last", "q"), {}),
                ("no strides", (2, None), {}),
                ("padding", (2, 1), {"padding": "half"}),
                ("format", (2, 1), {"data_format": "NHWC"}),
                ("sizes", ((2,) * (rank + 1), 1), {}),
            ):
                cases[f"{kind} {rank} {name}"] = (
                    lambda function=function, x=x, given=given, options=options: function(
                        x, *given, **options
                    )
                )
            cases[f"{kind} {rank} unknown"] = lambda function=function, x=x, n=rank: function(
                _unknown(tf, x, [None] * (n + 2)), 2, 2
            )
            cases[f"{kind} {rank} rank"] = lambda function=function: function(_data(1, 2), 2, 2)
    _said(tf, stage, cases)


def _normalizations(tf, stage, cases):
    """Says what each gives while training, twice, and after it."""
    for name, (x, options) in cases.items():
        with tf.Graph().as_default(), tf.Session() as session, stage.failing():
            stage.say("=", name)
            phase = tf.placeholder_with_default(True, [], name="phase")
            training = {"fed": phase, "yes": True, "no": False, "one": 1}[
                options.get("phase", "fed")
            ]
            options = {k: v for k, v in options.items() if k != "phase"}
            y = tf.layers.batch_normalization(tf.constant(x), training=training, **options)
            updates = tf.get_collection(tf.GraphKeys.UPDATE_OPS)
            stage.say(y.name, str(y.shape), y.dtype.name, [u.name for u in updates])
            stage.say(
                [(v.name, str(v.shape), v.trainable, v.dtype.name) for v in tf.global_variables()]
            )
            session.run(tf.global_variables_initializer())
            for _ in range(2):
                stage.say(session.run(y))
                session.run(updates)
            stage.say(session.run(tf.global_variables()))
            stage.say(session.run(y, {phase: False}))
            session.run(updates, {phase: False})
            stage.say(session.run(tf.global_variables()))
            stage.say([x.name for x in tf.get_collection("regularization_losses")])
            stage.brief_graph(names=False)


def normalized(tf, stage):
    x = _data(4, 2)
    clip = {"rmax": 1.5, "rmin": 0.5, "dmax": 0.25}
    _normalizations(
        tf,
        stage,
        {
            "plain": (x, {"momentum": 0.5}),
            "yes": (x, {"momentum": 0.5, "phase": "yes"}),
            "no": (x, {"phase": "no"}),
            "one": (x, {"phase": "one", "momentum": 0.75}),
            "bare": (x, {"center": False, "scale": False, "momentum": 0.5}),
            "options": (
                x,
                {
                    "epsilon": 0.1,
                    "beta_initializer": tf.ones_initializer(),
                    "gamma_initializer": tf.constant_initializer(2.0),
                    "moving_mean_initializer": tf.ones_initializer(),
                    "moving_variance_initializer": tf.constant_initializer(3.0),
                    "beta_regularizer": tf.nn.l2_loss,
                    "gamma_regularizer": tf.nn.l2_loss,
                    "beta_constraint": tf.abs,
                    "gamma_constraint": tf.abs,
                    "trainable": False,
                    "name": "n",
                },
            ),
            "axes": (_data(2, 2, 3), {"axis": [1, 2], "momentum": 0.5}),
            "first axis": (_data(2, 3, 2), {"axis": 1, "momentum": 0.5}),
            "renorm": (x, {"renorm": True, "momentum": 0.5, "renorm_momentum": 0.25}),
            "clipped": (x * 3, {"renorm": True, "renorm_clipping": clip, "renorm_momentum": 0.5}),
            "clipped yes": (
                x * 3,
                {"renorm": True, "renorm_clipping": {"rmax": 1.1}, "phase": "yes"},
            ),
            "adjusted": (
                x,
                {"adjustment": lambda s: (tf.fill(s, 2.0), tf.fill(s, 1.0)), "momentum": 0.5},
            ),
            "virtual": (x, {"virtual_batch_size": 2, "momentum": 0.5}),
            "virtual renorm": (x, {"virtual_batch_size": 2, "renorm": True, "momentum": 0.5}),
        },
    )


def normalized_images(tf, stage):
    image = _data(2, 2, 1, 2)
    _normalizations(
        tf,
        stage,
        {
            "image": (image, {"momentum": 0.5}),
            "image yes": (image, {"momentum": 0.5, "phase": "yes"}),
            "image no": (image, {"phase": "no"}),
            "not fused": (image, {"fused": False, "momentum": 0.5}),
            "bare": (image, {"center": False, "scale": False, "momentum": 0.5}),
            "halves": (image.astype(np.float16), {"momentum": 0.5}),
            "halves not fused": (image.astype(np.float16), {"momentum": 0.5, "fused": False}),
            "halves flat": (_data(4, 2).astype(np.float16), {"momentum": 0.5}),
            "doubles": (image.astype(np.float64), {"momentum": 0.5, "fused": False}),
            "renorm": (image, {"renorm": True, "momentum": 0.5, "fused": True}),
            "third axis": (image, {"axis": 2, "fused": True}),
            "text axis": (image, {"axis": "1"}),
            "far axis": (image, {"axis": 7}),
            "negative axis": (image, {"axis": -5}),
            "twice": (image, {"axis": [3, -1]}),
            "virtual axis": (image, {"axis": 0, "virtual_batch_size": 2}),
            "virtual zero": (image, {"virtual_batch_size": 0}),
            "virtual adjusted": (
                image,
                {"virtual_batch_size": 2, "adjustment": lambda s: (1.0, 0.0)},
            ),
            "clipping": (image, {"renorm": True, "renorm_clipping": {"least": 1.0}}),
        },
    )


def reused(tf, stage):
    """Layers' functions called twice: by name, with reuse, in loops and conditions."""
    f = tf.layers
    x, image = tf.constant(_data(2, 3)), tf.constant(_data(1, 4, 4, 2))
    cases = {
        "dense": lambda **o: f.dense(x, 2, **o),
        "conv1d": lambda **o: f.conv1d(image[0], 2, 2, **o),
        "conv2d": lambda **o: f.conv2d(image, 2, 2, **o),
        "conv2d_transpose": lambda **o: f.conv2d_transpose(image, 2, 2, **o),
        "separable_conv2d": lambda **o: f.separable_conv2d(image, 2, 2, **o),
        "batch_normalization": lambda **o: f.batch_normalization(image, **o),
    }
    for name, call in cases.items():
        stage.attempts(
            lambda: call(name="a_" + name).name,  # noqa: B023  called here
            lambda: call(name="a_" + name).name,  # noqa: B023
            lambda: call(name="a_" + name, reuse=True).name,  # noqa: B023
            lambda: call(name="a_" + name, reuse=tf.AUTO_REUSE).name,  # noqa: B023
            lambda: call(name="a_" + name, reuse=False).name,  # noqa: B023
            lambda: call(reuse=True).name,  # noqa: B023
            lambda: call(name="b_" + name, reuse=True).name,  # noqa: B023
            lambda: call().name,  # noqa: B023
            lambda: call().name,  # noqa: B023
        )
    with tf.variable_scope("s"):
        stage.attempts(*[lambda c=c: c(name="a").name for c in list(cases.values())[:2]])
    with tf.variable_scope("s", reuse=True):
        stage.attempts(*[lambda c=c: c(name="a").name for c in list(cases.values())[:2]])
        stage.attempts(lambda: f.dense(x, 3, name="a").name)
    y = tf.cond(
        tf.constant(True),
        lambda: f.dense(x, 2, name="in_cond"),
        lambda: f.dense(x, 2, name="in_else"),
    )
    loop = tf.while_loop(
        lambda i, h: i < 2,
        lambda i, h: (
            i + 1,
            f.dense(h, 3, name="in_loop", kernel_initializer=tf.ones_initializer()),
        ),
        (0, x),
    )
    stage.say(y.name, loop[1].name)
    stage.say([v.name for v in tf.global_variables()])
    with tf.Session() as session:
        session.run(tf.global_variables_initializer())
        stage.say(session.run(loop[1]))
    stage.say(sorted(n for n in dir(f) if n[0].islower()))
