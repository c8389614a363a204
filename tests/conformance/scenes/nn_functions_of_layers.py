"""Functional `tf.layers`: each argument by keyword and position, unknown sizes, reuse, training, errors."""

import numpy as np


def _data(*shape):
    count = int(np.prod(shape))
    return ((np.arange(count) % 7 - 2.0) / 4).astype(np.float32).reshape(shape)


def _said(tf, stage, cases):
    """Records each case's name, type and shape in a shared graph, and the values of valid cases."""
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
