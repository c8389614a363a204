"""Keras models without training: built by hand, described and rebuilt, copied, with shapes and masks."""

import json

from tests.conformance.scenes import in_own_graph


def _said(stage, config):
    stage.say(json.dumps(config, sort_keys=True, default=str))


@in_own_graph
def built_by_hand(tf, stage):
    layers, model = tf.keras.layers, tf.keras.Model

    class Doubles(model):
        def __init__(self, **options):
            super().__init__(**options)
            self.dense = layers.Dense(2, name="dense")

        def call(self, inputs, training=None):
            return self.dense(inputs) * (3.0 if training else 2.0)

    class Needs(Doubles):
        def call(self, inputs, training):
            stage.say("training", training)
            return self.dense(inputs)

    class NeedsMore(Doubles):
        def call(self, inputs, other):
            return self.dense(inputs)

    class Several(Doubles):
        def call(self, inputs):
            return self.dense(inputs[0] + inputs[1])

    class Fails(Doubles):
        def call(self, inputs):
            return tf.nn.embedding_lookup(tf.ones([3, 2]), inputs)

    class Forgets(model):
        def __init__(self):
            self.dense = layers.Dense(2)

    class Nothing(model):
        def call(self):
            return 1

    def built(kind, shape):
        made = kind(name="m")
        made.build(shape)
        return made.built, [w.name for w in made.weights], [str(w.shape) for w in made.weights]

    stage.attempts(
        lambda: built(Doubles, (None, 3)),
        lambda: built(Doubles, [None, 3]),
        lambda: built(Doubles, tf.TensorShape([2, 3])),
        lambda: built(Doubles, None),
        lambda: built(Doubles, 3),
        lambda: built(Doubles, (None,)),
        lambda: built(Doubles, ()),
        lambda: built(Needs, (None, 3)),
        lambda: built(NeedsMore, (None, 3)),
        lambda: built(Several, [(None, 3), (None, 3)]),
        lambda: built(Several, [(None, 3), (None, 4)]),
        lambda: built(Fails, (None, 3)),
        lambda: built(Nothing, (None, 3)),
        lambda: built(model, (None, 3)),
        Forgets,
        lambda: Doubles(none=1),
        lambda: Doubles(dtype="float64").dtype,
        lambda: Doubles(trainable=False).trainable,
        lambda: Doubles().get_config(),
        lambda: Doubles.from_config({}),
        lambda: Doubles().to_json(),
        lambda: Doubles().input_spec,
        lambda: Doubles().compute_mask(None, None),
        lambda: Doubles().summary(),
        lambda: Doubles().input,
        lambda: Doubles().output_shape,
        lambda: Doubles().weights,
        lambda: Doubles().stateful,
        lambda: Doubles().state_updates,
        lambda: Doubles().layers[0].name,
        lambda: Doubles().get_layer("dense").name,
        lambda: Doubles().get_layer(),
        lambda: Doubles().get_layer("dense", 0).name,
        lambda: Doubles().compute_output_shape((4, 3)),
        lambda: Doubles().save(stage.folder + "/x.h5"),
        lambda: Doubles()(tf.ones([1, 3])).shape,
        lambda: Doubles().call(tf.ones([1, 3])).shape,
        lambda: Doubles().run_eagerly,
        lambda: setattr(Doubles(), "run_eagerly", True),
        lambda: Doubles().dynamic,
    )
    for dynamic in (False, True):
        model = Doubles()
        model.further = [tf.keras.layers.Lambda(tf.sin, dynamic=dynamic)]
        inside = tf.keras.Sequential([tf.keras.layers.Dense(1), model])
        stage.say(model.dynamic, inside.dynamic, model.stateful)
    made = Doubles(name="own")
    made(tf.ones([2, 3]))
    made.summary(print_fn=stage.say)
    made.extra = layers.Dense(1, name="extra")
    stage.say([layer.name for layer in made.layers], made.metrics_names)
    made.more = [layers.Dense(1, name="in_a_list"), {"a": layers.Dense(1, name="in_a_dict")}]
    stage.say([layer.name for layer in made.layers], [layer.name for layer in made.submodules])
    made.number = tf.Variable(1.0, name="number")
    stage.say([v.name for v in made.trainable_weights])
    made.trainable = False
    stage.say([v.name for v in made.trainable_weights], made.dense.trainable)
    del made.extra
    stage.say([layer.name for layer in made.layers])


def _functional(tf):
    layers = tf.keras.layers
    x, y = layers.Input((3,), name="x"), layers.Input((3,), name="y", batch_size=2)
    dense = layers.Dense(3, name="dense", activation="relu")
    both = layers.Add(name="both")([dense(x), dense(y)])
    halves = layers.Lambda(tf.split, arguments={"num_or_size_splits": 3, "axis": 1}, name="parts")
    parts = halves(both)
    return tf.keras.Model([x, y], [both, parts[1], dense(x)], name="m")


@in_own_graph
def functional(tf, stage):
    layers, model = tf.keras.layers, _functional(tf)
    stage.say(model.input_names, model.output_names, model.input_shape, model.output_shape)
    stage.say([x.name for x in model.inputs], [x.name for x in model.outputs])
    stage.say([layer.name for layer in model.layers], model.count_params(), model.stateful)
    stage.say(model.compute_output_shape([(5, 3), (5, 3)]))
    stage.say(model.input_spec, model.built, model.dynamic)
    stage.attempts(
        lambda: model(tf.ones([2, 3])),
        lambda: model.add_metric(model.outputs[0], name="a"),
        lambda: model.add_loss(lambda: 1.0),
        lambda: (len(model.losses), len(model.metrics), [m.name for m in model.metrics]),
        lambda: (len(model.updates), model.metrics_names),
    )
    x = layers.Input((2,), name="in")
    masked = layers.Masking(name="mask")(layers.Reshape((2, 1))(x))
    inner = tf.keras.Model(x, masked, name="inner")
    stage.say(inner.compute_mask(tf.ones([1, 2]), None) is not None)
    stage.attempts(
        lambda: tf.keras.Model(x, masked, dtype="float32"),
        lambda: tf.keras.Model(x, outputs=[masked]).output_shape,
        lambda: tf.keras.Model(tf.ones([2]), masked),
        lambda: tf.keras.Model(masked, layers.Dense(1)(masked)).input_names,
        lambda: tf.keras.Model([x, layers.Input((2,), 3), layers.Input((2,), 4)], x),
    )
    for line_length, positions in ((None, None), (50, None), (60, [0.2, 0.5, 0.8, 1.0])):
        model.summary(line_length, positions, print_fn=stage.say)
    inner.trainable = False
    tf.keras.Sequential([inner, layers.Flatten(), layers.Dense(1)]).summary(print_fn=stage.say)


@in_own_graph
def made_again(tf, stage):
    layers, of = tf.keras.layers, tf.keras.models
    x = layers.Input((4, 2), name="x", dtype="float64")
    start = layers.Input((3,), name="start", dtype="float64")
    cells = layers.GRU(3, name="cells", return_state=True, dtype="float64")
    out, state = cells(x, initial_state=start)
    shared = layers.Dense(3, name="shared", dtype="float64")
    both = layers.Concatenate(name="both")([shared(out), shared(state)])
    recurrent = tf.keras.Model({"x": x, "start": start}, both, name="recurrent")
    plain = tf.keras.Sequential(
        [
            layers.Dense(2, input_shape=(3,), name="a"),
            layers.Lambda(lambda x: x * 2.0, name="l"),
            layers.Dropout(0.5, noise_shape=(1, 2), seed=3, name="d"),
        ],
        name="plain",
    )
    nested = tf.keras.Sequential([plain, layers.Dense(1, name="last")], name="nested")
    for model in (_functional(tf), recurrent, plain, nested):
        stage.say(model.name)
        with stage.failing():
            config = model.get_config()
            _said(stage, config if model.name in ("recurrent", "empty") else list(config))
            again = type(model).from_config(config)
            stage.say(again.name, [layer.name for layer in again.layers], again.output_shape)
            stage.say([w.name for w in again.weights], [x.name for x in again.inputs])
            stage.say(json.loads(model.to_json())["keras_version"], again.input_names)
            stage.say([layer.name for layer in of.model_from_json(model.to_json()).layers])
    empty = tf.keras.Sequential(name="empty")
    _said(stage, empty.get_config())
    later = tf.keras.Sequential([layers.Dense(2, name="b")], name="later")
    _said(stage, later.get_config())
    later.build((None, 5))
    _said(stage, later.get_config())
    stage.attempts(
        lambda: tf.keras.Sequential.from_config([layer.get_config() for layer in later.layers]),
        lambda: of.model_from_config([1]),
        lambda: of.model_from_config({"class_name": "None", "config": {}}),
        lambda: of.model_from_config({"class_name": "Model", "config": {"layers": []}}),
        lambda: later.build((None, 6)),
    )


@in_own_graph
def copied(tf, stage):
    layers, clone = tf.keras.layers, tf.keras.models.clone_model
    model = _functional(tf)
    given = tf.ones([2, 3]), layers.Input((3,), name="own")

    plain = tf.keras.Sequential([layers.Dense(3, input_shape=(3,), name="a")], name="plain")
    later = tf.keras.Sequential([layers.Dense(3, name="c")], name="later")
    later.build((None, 3))

    class Own(tf.keras.Model):
        def call(self, inputs):
            return inputs

    for case in (
        lambda: clone(model, given[:1]),
        lambda: clone(model, clone_function=3),
        lambda: clone(plain, given[1]),
        lambda: clone(plain, list(given)),
        lambda: clone(later),
        lambda: clone(Own()),
        lambda: clone(3),
    ):
        with stage.failing():
            made = case()
            stage.say(made.name, [layer.name for layer in made.layers], made.built)
            stage.say([x.name for x in made.inputs or ()], [x.name for x in made.outputs or ()])
            stage.say([w.name for w in made.weights], made is model)
    named = [tf.nn.relu, tf.square, tf.nn.softplus, tf.keras.backend.square]
    for function in named:  # its names come from its module instead of the layer
        part = tf.keras.Sequential([layers.Lambda(function, input_shape=(2,))])
        with stage.failing():
            stage.say(clone(part).output_shape, part.layers[0].name)
    layer = layers.Dense(1, name="shared", input_shape=(3,))
    kept = tf.keras.Sequential([layer])
    kept.add_metric(tf.reduce_sum(kept.outputs[0]), aggregation="mean", name="total")
    kept.add_loss(tf.reduce_mean(kept.outputs[0]) * 3.0)
    with stage.failing():
        made = clone(kept)
        stage.say(len(made.losses), [m.name for m in made.metrics], len(made.layers))
