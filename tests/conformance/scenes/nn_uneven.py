"""Layers and cells with nonuniform weights: values, gradients, both formats, unknown sizes."""

import numpy as np

from tests.conformance.scenes import eager_mode


def _data(*shape):
    count = int(np.prod(shape))
    return ((np.arange(count) * 5 % 9 - 4.0) / 4).astype(np.float32).reshape(shape)


def _weights(layer):
    """Values that differ within each weight, and from weight to weight."""
    return [
        ((np.arange(int(np.prod(w.shape.as_list()))) * 7 % 11 - 5.0 + n) / 8)
        .astype(w.dtype.base_dtype.as_numpy_dtype)
        .reshape(w.shape.as_list())
        for n, w in enumerate(layer.weights)
    ]


def _values(tf, stage, cases, gradients=True, vague=True):
    """Records each layer's values and gradients with fixed weights; optionally for an unknown batch; in eager mode."""
    with tf.Graph().as_default(), tf.Session() as session:
        for name, (make, shape) in cases.items():
            stage.say("=", name)
            with stage.failing():
                layer = make()
                x = tf.constant(_data(*shape))
                y = layer(x)
                layer.set_weights(_weights(layer))
                wanted = [y]
                if gradients:
                    wanted.append(tf.gradients(tf.nest.flatten(y)[0] ** 2, [x, *layer.weights[:1]]))
                stage.say(session.run(wanted))
                if not vague:
                    continue
                sizes = [None] * (len(shape) - 1) + [shape[-1]]
                if name.endswith("first"):
                    sizes = [None, shape[1]] + [None] * (len(shape) - 2)
                fed = tf.placeholder(tf.float32, sizes)
                other = layer(fed)
                stage.say([str(t.shape) for t in tf.nest.flatten(other)])
                stage.say(session.run(tf.reduce_sum(other), {fed: _data(*shape)}))
    with tf.Graph().as_default(), eager_mode(tf):
        for name, (make, shape) in list(cases.items())[::4]:
            with stage.failing():
                layer = make()
                x = tf.constant(_data(*shape))
                layer(x)
                layer.set_weights(_weights(layer))
                stage.say(name, layer(x))


def convolutions(tf, stage):
    k = tf.keras.layers
    first = {"data_format": "channels_first"}
    _values(
        tf,
        stage,
        {
            "by depth first": (lambda: k.DepthwiseConv2D(2, **first), (1, 2, 3, 3)),
            "apart first": (lambda: k.SeparableConv2D(1, 2, **first), (1, 2, 3, 3)),
        },
    )


def local_connections(tf, stage):
    k = tf.keras.layers
    cases = {}
    for number in (1, 2, 3):
        for name, kind, given, options, shape in (
            ("one", "1D", (2, 2), {}, (2, 4, 2)),
            ("one strides", "1D", (1, 3, 2), {"use_bias": False}, (1, 6, 2)),
            ("one first", "1D", (2, 2), {"data_format": "channels_first"}, (1, 2, 4)),
            ("two", "2D", (2, (2, 1)), {"activation": "relu"}, (2, 3, 2, 2)),
            ("two strides", "2D", (1, 2, (2, 1)), {}, (1, 4, 3, 1)),
            ("two first", "2D", (2, 2), {"data_format": "channels_first"}, (1, 2, 3, 2)),
            ("one same", "1D", (1, 3), {"padding": "same"}, (1, 4, 2)),
            ("two same", "2D", (2, 2), {"padding": "same"}, (1, 2, 3, 1)),
        ):
            cases[f"{number} {name}"] = (
                lambda kind=kind, given=given, options=options, number=number: getattr(
                    k, "LocallyConnected" + kind
                )(*given, implementation=number, **options),
                shape,
            )
    _values(tf, stage, cases, gradients=False)


def others(tf, stage):
    k = tf.keras.layers
    _values(
        tf,
        stage,
        {
            "layer norm axes": (lambda: k.LayerNormalization([1, 2], 0.1), (2, 2, 3)),
        },
    )
    with tf.Graph().as_default(), tf.Session() as session:
        q, v, w = (tf.constant(_data(2, *s)) for s in ((2, 3), (4, 3), (4, 3)))
        mask = tf.constant([[True, True, False, False], [True, False, True, True]])
        queries = tf.constant([[True, False], [True, True]])
        for make in (lambda: k.Attention(),):
            layer = make()
            results = [layer([q, v]), layer([q, v, w * 2.0])]
            results += [
                layer([q, v], mask=m) for m in ([queries, mask], [None, mask], [queries, None])
            ]
            layer.set_weights(_weights(layer))
            stage.say(session.run(results))
        stage.attempts(lambda: layer([q, v], mask=[queries]), lambda: layer([q]))
        embedding = k.Embedding(4, 2)
        ids = tf.constant([[3, 0], [1, 1]])
        y = embedding(ids)
        embedding.set_weights(_weights(embedding))
        stage.say(session.run([y, embedding(tf.cast(ids, tf.float32)), embedding(ids[0])]))
        for axes in (1, 2, (1, 2), (2, 1), -1):
            with stage.failing():
                stage.say(session.run(k.Dot(axes)([q, tf.constant(_data(2, 2, 3)) * 2.0])))
        stage.say(session.run(k.Dot(2, normalize=True)([q, v])))
