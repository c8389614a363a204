"""Keras's noise, Lambda layers, inputs, training-time normalization, random features, convolution padding."""

import numpy as np

from tests.conformance.scenes import in_own_graph


def _data(*shape):
    count = int(np.prod(shape))
    return ((np.arange(count) % 7 - 2.0) / 4).astype(np.float32).reshape(shape)


def _plain(value):
    if isinstance(value, dict):
        return {key: _plain(value[key]) for key in sorted(value)}
    return [_plain(item) for item in value] if isinstance(value, (list, tuple)) else value


def normalized(tf, stage):
    first, second = tf.keras.layers, tf.compat.v2.keras.layers
    cases = {}
    for which, k in (("first", first), ("second", second)):
        for name, options, shape in (
            ("plain", {}, (3, 2)),
            ("images", {}, (2, 1, 2, 2)),
            ("bare", {"center": False, "scale": False}, (3, 2)),
            ("bare images", {"center": False, "scale": False}, (2, 1, 2, 2)),
            ("fused", {"fused": True}, (2, 1, 2, 2)),
            ("fused flat", {"fused": True}, (3, 2)),
            ("not fused", {"fused": False}, (2, 1, 2, 2)),
            ("fused renorm", {"fused": True, "renorm": True}, (2, 1, 2, 2)),
            ("fused axis", {"fused": True, "axis": 2}, (2, 1, 2, 2)),
            ("fused axes", {"fused": True, "axis": [1, 2]}, (2, 1, 2, 2)),
            ("fused virtual", {"fused": True, "virtual_batch_size": 1}, (2, 1, 2, 2)),
            ("fused adjusted", {"fused": True, "adjustment": lambda s: (1.0, 0.0)}, (2, 1, 2, 2)),
            ("virtual", {"virtual_batch_size": 2}, (4, 2)),
            ("frozen", {"trainable": False}, (3, 2)),
            ("frozen images", {"trainable": False}, (2, 1, 2, 2)),
            ("axis", {"axis": 1, "momentum": 0.5, "epsilon": 0.1}, (2, 2, 3)),
            ("axis negative", {"axis": -2}, (2, 2, 3)),
            ("rank", {}, (3,)),
        ):
            if which == "first" or "f" in name or not options:
                cases[f"{which} {name}"] = k, options, shape
    for name, (k, options, shape) in cases.items():
        with tf.Graph().as_default(), tf.Session() as session, stage.failing():
            stage.say("=", name)
            layer = k.BatchNormalization(**{"momentum": 0.5, **options})
            stage.say(layer.fused, layer.axis, sorted(layer.get_config()))
            x = tf.constant(_data(*shape))
            y = layer(x)
            stage.say(layer.fused, layer.axis, layer.input_spec, len(layer.updates))
            stage.say([u.name for u in layer.updates], [w.name for w in layer.weights])
            phase = tf.keras.backend.learning_phase()
            session.run(tf.global_variables_initializer())
            for training in (True, False):
                stage.say(session.run(y, {phase: training}))
                session.run(layer.updates, {phase: training})
                stage.say(session.run(layer.weights))
            forced = layer(x, training=True)
            stage.say(forced.name, len(layer.updates))
            layer.trainable = not layer.trainable
            stage.say(
                len(layer.updates),
                len(layer.trainable_weights),
                session.run(layer(x, training=True)),
            )
            stage.brief_graph(names=False)


@in_own_graph
def functions_as_layers(tf, stage):
    k = tf.keras.layers
    x = tf.constant(_data(2, 3))
    v = tf.Variable(2.0, name="outside", use_resource=True)

    def named(t, by=3.0):
        return t * by

    def asking(t, mask=None, training=None):
        stage.say("asked", mask is None, training)
        return t

    def making(t):
        return t * tf.Variable(3.0, name="inside") + tf.Variable(1.0, trainable=False, name="fixed")

    for make in (
        lambda: k.Lambda(lambda t: t * 2.0),
        lambda: k.Lambda(named),
        lambda: k.Lambda(named, arguments={"by": 5.0}, name="n"),
        lambda: k.Lambda(named, (3,)),
        lambda: k.Lambda(named, output_shape=lambda s: (s[0], 7)),
        lambda: k.Lambda(named, mask=tf.constant([True, False])),
        lambda: k.Lambda(named, mask=lambda t, m: m),
        lambda: k.Lambda(asking),
        lambda: k.Lambda(making),
        lambda: k.Lambda(lambda t: t * v),
        lambda: k.Lambda(lambda t: [t, t[:, :1]]),
        lambda: k.Lambda(lambda t: None),
        lambda: k.Lambda(lambda t: t.none),
        lambda: k.Lambda(3),
        lambda: k.Lambda(None),
    ):
        with stage.failing():
            layer = make()
            y = layer(x)
            stage.say(
                layer.name, [str(each.shape) for each in tf.nest.flatten(y)], layer.supports_masking
            )
            stage.say([w.name for w in layer.trainable_weights], len(layer.non_trainable_weights))
            layer(x)
            stage.say(len(layer.weights), [w.name for w in layer.variables])
            stage.attempts(
                lambda: layer.compute_output_shape((None, 3)),  # noqa: B023  called here
                lambda: layer.compute_output_shape(tf.TensorShape([4, 3])),  # noqa: B023
                lambda: layer.compute_mask(x, tf.constant([True, True])),  # noqa: B023
                lambda: layer.compute_mask(x),  # noqa: B023
            )
            config = layer.get_config()
            told = {n: config[n] for n in sorted(config) if n not in ("function", "module", "mask")}
            unsaid = ("mask_module", "output_shape", *["arguments"] * (layer.function is asking))
            stage.say({n: c for n, c in told.items() if n not in unsaid})
    several = k.Lambda(lambda ts: ts[0] + ts[1], output_shape=(3,))
    stage.say(several([x, x]).name, several.compute_output_shape([(2, 3), (2, 3)]))
    stage.attempt(k.Lambda(tf.bitwise.invert, dtype="int32").compute_output_shape, (2, 3))
    shapes = k.Lambda(lambda t: t, output_shape=[(1,), (2, 2)])
    stage.attempt(lambda: shapes.compute_output_shape((4, 3)))
    for function in (lambda t: t * 2.0, named):
        config = k.Lambda(
            function, arguments={"by": 2.0} if function is named else None
        ).get_config()
        again = k.Lambda.from_config(config)
        with tf.Session() as session:
            stage.say(session.run(again(x)), again.arguments)
    config = k.Lambda(named).get_config()
    config.update(function="relu", function_type="function", module="none")
    stage.attempts(
        lambda: k.Lambda.from_config({**config, "function_type": "none"}),
        lambda: (
            k.Lambda.from_config(
                {**config, "function": "mine"}, custom_objects={"mine": tf.nn.tanh}
            ).function.__name__
        ),
        lambda: (
            k.Lambda.from_config(
                {**config, "arguments": {"a": {"type": "ndarray", "value": [1, 2]}}}, {"relu": abs}
            ).arguments
        ),
    )


@in_own_graph
def random_features(tf, stage):
    of = tf.keras.layers
    make = getattr(of, "experimental", of)
    if not hasattr(make, "RandomFourierFeatures"):
        make = tf.contrib.keras.layers if hasattr(tf.contrib, "keras") else of
    wrapper, each = of.Wrapper, of.TimeDistributed
    dense = of.Dense(
        2, activity_regularizer="l2", kernel_regularizer="l1", kernel_initializer="ones"
    )
    wrapped = wrapper(dense, name="w", dtype="float32")
    stage.attempts(
        lambda: wrapped.activity_regularizer is dense.activity_regularizer,
        lambda: setattr(wrapped, "activity_regularizer", None),
        lambda: wrapped.build((None, 3)),
        lambda: _plain(wrapped.get_config()),
        lambda: type(wrapper.from_config(wrapped.get_config()).layer).__name__,
        lambda: len(wrapped.losses),
        lambda: wrapper(3),
        lambda: each(dense).compute_output_shape((2, 5, 3)),
        lambda: each(dense)(tf.ones([2, 5, 3])).shape,
        lambda: each(dense)(tf.placeholder(tf.float32, [None, None, 3])).shape,
        lambda: each(dense)(tf.ones([2, 3])),
        lambda: each(each(dense))(tf.ones([2, 4, 5, 3])).shape,
        lambda: each(of.Dropout(0.5, seed=1))(tf.ones([2, 5, 3]), training=True).shape,
        lambda: each(of.BatchNormalization())(tf.ones([2, 5, 3]), training=True).shape,
        lambda: each(of.Lambda(lambda t: t[:, :1]))(tf.ones([2, 5, 3])).shape,
    )
    x = tf.constant(_data(2, 3))
    for options in (
        {"units": 2, "use_bias": False},
        {"units": 2, "kernel_initializer": tf.ones_initializer(), "dtype": "float64"},
        {"units": 2, "bias_constraint": abs, "activation": abs},
    ):
        with stage.failing():
            layer = of.Dense(**options)
            y = layer(x)
            stage.say(
                y.name, y.dtype.name, [w.name for w in layer.weights], layer.kernel.constraint
            )
            stage.say(getattr(layer.bias, "constraint", "-"), _plain(layer.get_config()))
