"""Calls of custom layers: losses, masks, nodes, dtypes, in graph and eager mode."""

import copy

import numpy as np

from tests.conformance.scenes import eager_mode
from tests.conformance.scenes.nn_custom_layers import _class


def losses_of_calls(tf, stage):
    base = tf.keras.layers.Layer

    def call(self, x):
        self.add_loss(tf.reduce_sum(x), inputs=True)
        self.add_loss([tf.constant(2.0), None, lambda: tf.constant(3.0)])
        self.add_loss(lambda: None)
        self.add_loss(4)
        return x

    layer = _class(base, call=call)()
    x, y = tf.ones([2, 3], name="x"), tf.ones([2, 3], name="y")
    layer(x)
    stage.say([t.name for t in layer.losses])
    layer(y)
    stage.say([t.name for t in layer.losses])
    stage.attempts(
        lambda: [t.name for t in layer.get_losses_for(None)],
        lambda: [t.name for t in layer.get_losses_for(x)],
        lambda: [t.name for t in layer.get_losses_for([y])],
        lambda: layer.get_losses_for([]),
        lambda: layer.get_losses_for(3),
        lambda: layer.add_loss(tf.ones([2])),
        lambda: layer.add_loss("a"),
        lambda: len(layer.losses),
    )
    outer = base()
    outer.inner = layer
    outer.add_loss(tf.constant(5.0, name="five"))
    stage.say([t.name for t in outer.losses])
    with tf.Session() as session:
        stage.say(session.run(layer.losses[:6]))
    dense = tf.keras.layers.Dense(
        1, kernel_initializer="ones", kernel_regularizer=tf.keras.regularizers.l2(0.5)
    )
    stage.say(dense.losses)
    dense.build((None, 2))
    stage.say([t.name for t in dense.losses], [t.name for t in dense.losses])
    regular = tf.keras.layers.Dense(1, activity_regularizer=tf.keras.regularizers.l1(0.5))
    regular(tf.ones([4, 2]))
    stage.say([t.name for t in regular.losses], regular.losses[0].op.type)
    regular.activity_regularizer = None
    regular(tf.ones([4, 2]))
    stage.say(len(regular.losses), regular.get_config()["activity_regularizer"])
    old = _class(tf.layers.Layer, "Old", call=call)()
    old(x)
    stage.say([t.name for t in tf.get_collection("regularization_losses")])
    old.add_loss(old.losses[0])
    stage.say(len(tf.get_collection("regularization_losses")))


def calls(tf, stage):
    base = tf.keras.layers.Layer
    said = []

    def keeping(self, x, training=None, mask=None, more=3, **rest):
        said.append((type(x).__name__, str(training), mask, more, sorted(rest)))
        return x

    layer = _class(base, call=keeping)()
    x = tf.ones([2, 2])
    stage.attempts(
        lambda: layer(x),
        lambda: layer(x, True),
        lambda: layer(x, training=False),
        lambda: layer(x, training=1),
        lambda: layer(x, more=4, other=5),
        lambda: layer(x, None, "mask"),
        lambda: layer(np.ones([2], np.float32)),
        lambda: layer(3.0),
        lambda: layer([x, np.ones([1])]),
        lambda: layer({"a": x, "b": 2}),
        lambda: layer(None),
        lambda: layer(()),
        lambda: layer("text"),
        lambda: layer.apply(x, more=6),
    )
    tf.keras.backend.set_learning_phase(1)
    layer(x)
    tf.keras.backend.set_learning_phase(0)
    layer(x)
    stage.say(said)
    nothing = _class(base, call=lambda self, x: None)(name="nothing")
    stage.attempts(
        lambda: nothing(x),
        lambda: nothing.built,
        lambda: _class(base, call=lambda self, x, n: x * n)()(x, 2.0).shape,
        lambda: _class(base, call=lambda self, x: x if x > 0 else -x)()(x),
        lambda: base(name=3)(x),
        lambda: base(name="no spaces")(x).name,
        lambda: base(name="s/t")(x).name,
        lambda: base()(x) is x,
        lambda: base().call(x, other=3) is x,
        lambda: base().compute_output_shape((2, 3)),
        lambda: base().compute_mask(x),
        lambda: base().compute_mask(x, tf.constant(True)),
        lambda: base().compute_mask([x], [None]),
    )
    built = []
    recording = _class(base, build=lambda self, shape: built.append(shape))
    for inputs in (x, [x, tf.placeholder(tf.float32)], {"a": x}, (x,), np.ones([1]), 2.0):
        with stage.failing():
            one = recording()
            one(inputs)
            one(inputs)
            stage.say(one.built, one.dtype, built[-1], len(built))
    later = recording()
    later.build((2, 3))
    later(x)
    stage.say(len(built), later.built)


def calls_of_scopes(tf, stage):
    base = tf.layers.Layer
    x = tf.ones([2, 2], name="x")

    def build(self, shape):
        self.w = self.add_weight("w", [shape[-1]], initializer=tf.ones_initializer())

    def call(self, x, scope=None):
        stage.say(scope.name, scope.original_name_scope, scope.reuse)
        return tf.multiply(x, self.w, name="out")

    kind = _class(base, "Scaled", build=build, call=call)
    layer = kind()
    stage.say(layer(x).name, layer(x).name, layer.scope_name, layer.name, layer.w.name)
    stage.attempts(
        lambda: kind()(x, scope="given").name,
        lambda: kind(name="n")(x, scope="given").name,
        lambda: kind(name="n")(x).name,
        lambda: kind(name="n", _reuse=True)(x).name,
        lambda: kind(name="absent", _reuse=True)(x).name,
        lambda: kind(_scope="from_scope")(x).name,
        lambda: kind(name="m", _scope="from_scope", _reuse=True)(x).name,
        lambda: kind(name="n", _reuse=tf.AUTO_REUSE)(x).name,
    )
    with tf.variable_scope("outer") as scope:
        inner = kind()
        stage.say(inner(x).name)
    with tf.name_scope("elsewhere"):
        stage.say(inner(x).name, kind()(x).name)
    stage.say(kind(name=scope).name, kind(_scope=scope)(x).name)
    second = copy.deepcopy(kind(name="unused"))
    stage.say(second.name, second.built, second._scope, second(x).name)
    stage.say([v.name for v in tf.global_variables()])
    style = tf.layers.experimental
    with style.keras_style_scope():
        own = kind(name="own")
        stage.attempts(
            lambda: own(x, scope="s"),
            lambda: kind(_scope="s"),
            lambda: kind(_reuse=True),
            lambda: tf.layers.dense(x, 1, reuse=True),
            lambda: tf.layers.dense(x, 1, name="d").name,
            lambda: tf.layers.dense(x, 1, name="d").name,
        )
        with stage.failing():
            free = _class(base, build=build, call=lambda self, x: x * self.w)(name="free")
            stage.say(free(x).name, free.w.name, free(x).name, free.weights[0] is free.w)
            stage.attempt(lambda: free.scope_name)
    stage.attempt(lambda: kind(_reuse=True).name)


def nodes_of_models(tf, stage):
    k = tf.keras.layers
    dense = k.Dense(2, name="d")
    for name in ("input", "output", "input_shape", "output_shape", "input_mask", "output_mask"):
        stage.attempt(lambda: getattr(dense, name))  # noqa: B023  called here
    getters = [
        f"get_{side}{what}_at" for side in ("input", "output") for what in ("", "_mask", "_shape")
    ]
    for name in getters:
        stage.attempt(lambda: getattr(dense, name)(0))  # noqa: B023
    one, two = tf.keras.Input((3,), name="one"), tf.keras.Input((None, 3), name="two")
    first = dense(one)
    stage.say(dense.input.name, dense.output.name, dense.input_shape, dense.output_shape)
    stage.say(dense.input_mask, dense.output_mask, len(dense.inbound_nodes))
    masked = k.Masking()(two)
    dense(masked)
    for name in ("input", "output", "input_shape", "output_shape", "input_mask", "output_mask"):
        stage.attempt(lambda: getattr(dense, name))  # noqa: B023
    for name in getters:
        for index in (1, 2, -1):
            stage.attempt(lambda: getattr(dense, name)(index))  # noqa: B023
    both = k.Add(name="sum")([first, dense(one)])
    add = both._keras_history[0]
    stage.say([t.name for t in add.input], add.input_shape, add.output_shape, add.input_mask)
    node = add.inbound_nodes[0]
    stage.say(node.get_config(), node.arguments, node.input_shapes, node.output_shapes)
    stage.say([(o[0].name, o[1], o[2], o[3].name) for o in node.iterate_inbound()])
    stage.say(len(dense.outbound_nodes), [n.outbound_layer.name for n in dense.outbound_nodes])
    same = tf.keras.layers.Layer(name="same")(one)
    stage.say(same.name, same is one, same._keras_history[1:])
    stage.attempt(lambda: k.Dense(1)([one, two]))
    scaled = both * 2.0 + tf.constant([1.0, 2.0])
    out = k.Dense(1, name="last")(scaled)
    model = tf.keras.Model([one, two], out)
    stage.say([layer.name for layer in model.layers])
    for layer in model.layers:
        if "op" in layer.name:
            config = layer.get_config()
            stage.say(config["name"], config["constants"], sorted(config), config["trainable"])
            stage.say(sorted(config["node_def"].items()) if "node_def" in config else "-")
            again = type(layer).from_config(config)
            stage.say(again.name, again.built, again.dtype)
            with stage.failing():
                stage.say(again(tf.ones([2, 2])).name)


def masks_of_calls(tf, stage):
    base, k = tf.keras.layers.Layer, tf.keras.layers
    seen = []

    class Takes(base):
        def call(self, x, mask=None):
            seen.append(getattr(mask, "name", mask))
            return x + 1.0

    class Makes(base):
        def compute_mask(self, inputs, mask=None):
            seen.append((type(inputs).__name__, getattr(mask, "name", mask)))
            return tf.constant([True], name="made")

    x = k.Masking(name="m")(tf.ones([2, 3, 1]))
    stage.say(x._keras_mask.name)
    for make in (
        lambda: Takes(),
        lambda: Makes(),
        lambda: k.Dense(1),
        lambda: k.Flatten(),
        lambda: k.Dropout(0.5),
        lambda: k.Conv1D(1, 1),
        lambda: k.SimpleRNN(1, return_sequences=True),
        lambda: k.SimpleRNN(1),
        lambda: k.TimeDistributed(k.Dense(1)),
        lambda: k.Bidirectional(k.SimpleRNN(1, return_sequences=True)),
        lambda: k.Lambda(lambda v: v),
        lambda: k.Lambda(lambda v: v, mask=lambda v, m: m),
        lambda: k.Activation("relu"),
        lambda: k.Reshape((3,)),
        lambda: k.BatchNormalization(),
        lambda: k.LayerNormalization(),
        lambda: k.Attention(),
    ):
        with stage.failing():
            layer = make()
            y = layer([x, x] if layer.name.startswith("attention") else x)
            stage.say(layer.name, getattr(getattr(y, "_keras_mask", 0), "name", "-"))
    given = tf.constant([[True, False, True]] * 2, name="given")
    Takes()(x, mask=given)
    Takes()(x, given)
    Takes()(x, mask=None)
    Takes()([x, tf.ones([1])] if False else tf.ones([2]))
    stage.say(seen)
    z = k.Masking()(tf.ones([2, 3, 1]))
    for make in (k.Add, k.Concatenate, k.Maximum, lambda: k.Concatenate(1), lambda: k.Dot(2)):
        with stage.failing():
            y = make()([x, z])
            stage.say(getattr(y._keras_mask, "name", None))
            y = make()([x, tf.ones([2, 3, 1])])
            stage.say(getattr(y._keras_mask, "name", None))
    add = k.Add()
    stage.attempts(
        lambda: add.compute_mask([x, z], None),
        lambda: add.compute_mask([x, z], given),
        lambda: add.compute_mask(x, [given]),
        lambda: add.compute_mask([x, z], [given]),
        lambda: add.compute_mask([x, z], [None, None]),
        lambda: add.compute_mask([x, z], [given, None]).name,
        lambda: k.Concatenate().compute_mask([x, z], [given, None]).shape,
        lambda: k.Concatenate().compute_mask([x, z], given),
        lambda: k.Embedding(3, 1, mask_zero=True).compute_mask(tf.constant([[0, 1]])).name,
        lambda: k.Embedding(3, 1).compute_mask(tf.constant([[0, 1]])),
    )


def dtypes_of_policies(tf, stage):
    k = tf.keras.layers
    policy = tf.keras.mixed_precision.experimental.Policy

    def told(layer, x):
        y = layer(x)
        stage.say(layer.dtype, layer._compute_dtype, y.dtype.name)
        for w in layer.weights:
            stage.say(w.name, w.dtype.name, repr(w)[:40])
        return y

    for name in ("mixed_float16", "float16", "float64", "mixed_bfloat16", "infer", "none", None):
        with stage.failing():
            one = policy(name)
            stage.say(one.name, one.compute_dtype, one.variable_dtype, one.get_config())
    for dtype in ("mixed_float16", "float64"):
        x = tf.ones([2, 2])
        with stage.failing():
            dense = k.Dense(2, dtype=policy(dtype), kernel_initializer="ones")
            y = told(dense, x)
            stage.say(dense.get_config())
            with tf.Session() as session:
                session.run(tf.global_variables_initializer())
                stage.say(session.run([y, dense.kernel]), session.run(dense.kernel.value()))
            stage.say(tf.gradients(y, dense.kernel)[0].dtype.name)
            told(k.BatchNormalization(dtype=policy(dtype)), tf.ones([2, 2, 2, 2]))
            told(k.Flatten(dtype=policy(dtype)), x)
            told(k.Dense(1, dtype=policy(dtype)), tf.ones([1, 1], tf.float16))
    kept = _class(tf.keras.layers.Layer, call=lambda self, x: x)
    for autocast in (True, False):
        layer = kept(autocast=autocast, dtype="float16")
        inputs = [tf.ones([1]), tf.ones([1], tf.int32), tf.ones([1], tf.float64)]
        stage.say([y.dtype.name for y in layer(inputs)])
    mixed = kept(dtype=policy("mixed_float16"))
    stage.attempt(lambda: mixed.add_weight("w", [2], "int32", "zeros"))
    stage.attempt(lambda: repr(mixed.add_weight("w", [2], initializer="zeros"))[:30])
    stage.attempt(
        lambda: repr(mixed.add_weight("w", [2], initializer="ones", experimental_autocast=False))[
            :30
        ]
    )
    stage.attempt(lambda: mixed.add_weight("r", [2], initializer="ones", use_resource=False))


def layers_of_eager_mode(tf, stage):
    base, k = tf.keras.layers.Layer, tf.keras.layers
    seen = []

    class Own(base):
        def build(self, shape):
            self.w = self.add_weight("w", shape[-1:], initializer="ones")

        def call(self, x, training=None):
            seen.append(training)
            self.add_loss(tf.reduce_sum(x), inputs=True)
            self.add_loss(lambda: tf.reduce_sum(self.w))
            self.add_update(lambda: self.w.assign_add([1.0, 1.0]))
            self.add_metric(x, "mean", "seen")
            return x * self.w

    with tf.Graph().as_default(), eager_mode(tf):
        tf.set_random_seed(1)
        layer = Own()
        x = tf.constant([1.0, 2.0])
        stage.attempts(
            lambda: layer(x),
            lambda: layer.losses,
            lambda: layer(x * 2.0, training=True),
            lambda: layer.losses,
            lambda: layer.get_weights(),
            lambda: [m.result() for m in layer.metrics],
            lambda: layer.updates,
            lambda: layer.get_losses_for(None),
            lambda: layer.set_weights([np.array([7.0, 8.0])]),
            lambda: layer(np.array([1.0, 1.0], np.float32)),
            lambda: layer.add_loss(tf.constant(1.0)),
            lambda: layer.add_loss(lambda: tf.constant(1.0)),
            lambda: len(layer.losses),
            lambda: layer(3.0),
            lambda: layer([1.0, 2.0]),
            lambda: layer.input,
        )
        layer.trainable = False
        stage.attempts(lambda: layer(x), lambda: layer.get_weights())
        stage.say(seen)
        outer = base()
        outer.inner = [Own(), Own()]
        outer.inner[0](x)
        stage.say(outer.losses, len(outer.metrics))
        dense = k.Dense(1, kernel_initializer="ones", activity_regularizer="l2")
        stage.attempts(
            lambda: dense(tf.ones([2, 2])), lambda: dense.losses, lambda: dense(tf.ones([2, 3]))
        )
        masked = k.Masking()(tf.constant([[[0.0], [1.0]]]))
        stage.say(masked._keras_mask, k.Flatten()(masked))
        drop = k.Dropout(0.5, seed=1)
        stage.attempts(lambda: drop(x), lambda: drop(x, training=0), lambda: drop(x, training=True))
        lazy = _class(base, call=lambda self, x: x if x[0] > 0 else -x)(dynamic=True)
        stage.attempts(lambda: lazy(x), lambda: lazy(-x))
        none = _class(base, call=lambda self, x: None)()
        stage.attempt(lambda: none(x))
        normal = k.BatchNormalization(momentum=0.5)
        stage.attempts(
            lambda: normal(tf.constant([[1.0], [3.0]]), training=True),
            lambda: normal.get_weights(),
            lambda: normal(tf.constant([[1.0]])),
        )
