"""The functions of `tf.layers`: each argument by keyword and by position, unknown sizes, reuse, training, refusals."""

import numpy as np


def _data(*shape):
    count = int(np.prod(shape))
    return ((np.arange(count) % 7 - 2.0) / 4).astype(np.float32).reshape(shape)


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


def _unknown(tf, value, shape=None):
    return tf.placeholder_with_default(value, shape)


def dense_and_others(tf, stage):
    f = tf.layers
    x = _data(2, 3)
    _said(tf, stage, {"dense unknown option": lambda: f.dense(x, 2, size=3)})


def convolutions(tf, stage):
    f = tf.layers
    b = _data(1, 4, 3, 2)
    _said(
        tf,
        stage,
        {
            "two kernel": lambda: f.conv2d(b, 1, "ab"),
            "two kernel float": lambda: f.conv2d(b, 1, 2.5),
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
        "conv2d_transpose": lambda **o: f.conv2d_transpose(image, 2, 2, **o),
        "separable_conv2d": lambda **o: f.separable_conv2d(image, 2, 2, **o),
        "batch_normalization": lambda **o: f.batch_normalization(image, **o),
    }
    for name, call in cases.items():
        stage.attempts(
            lambda: call(name="a_" + name).name,  # noqa: B023
            lambda: call(reuse=True).name,  # noqa: B023
            lambda: call(name="b_" + name, reuse=True).name,  # noqa: B023
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
