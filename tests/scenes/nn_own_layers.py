"""Layers that a program writes: configs, weights, what is tracked, losses, updates, metrics, masks, nodes."""

import copy

import numpy as np

from tests.scenes import eager_mode


def _class(base, name="Own", **members):
    return type(name, (base,), members)


def _told(stage, layer):
    stage.say(
        *(layer.name, layer.trainable, layer.dtype, layer.dynamic, layer.stateful, layer.built),
        *(layer.input_spec, layer.supports_masking, layer.activity_regularizer is None),
        *(layer.weights, layer.updates, layer.losses, layer.metrics),
    )
    stage.attempt(layer.get_config)


def options_of_the_base(tf, stage):
    cases = (
        {},
        {"name": "mine"},
        {"name": ""},
        {"trainable": False},
        {"dtype": "float64"},
        {"dtype": tf.int32},
        {"dtype": "none"},
        {"dynamic": True},
        {"input_shape": (3,)},
        {"input_shape": [3, None], "batch_size": 2},
        {"batch_input_shape": [2, 3]},
        {"batch_size": 4},
        {"input_shape": (3,), "batch_input_shape": (1, 2)},
        {"activity_regularizer": tf.keras.regularizers.l2(0.5)},
        {"weights": [np.ones(2)]},
        {"autocast": True},
        {"unknown": 1},
        {"input_dim": 3},
        {"sparse": True},
    )
    for base in (tf.keras.layers.Layer, tf.layers.Layer):
        for options in cases:
            with stage.failing():
                _told(stage, base(**options))
        for given in ((False, "b", "float16"), (True, 3)):
            with stage.failing():
                made = base(*given)
                stage.say(made.name, made.trainable, made.dtype, made.dynamic)
    for name in ("CamelCase", "HTTPServer", "_Hidden", "LSTMCell2D", "lower", "V2Net"):
        for base in (tf.keras.layers.Layer, tf.layers.Layer):
            one = _class(base, name)
            stage.say(one().name, one().name, one(name="given").name)
    stage.attempts(
        lambda: tf.layers.Layer(_scope="s").scope_name,
        lambda: tf.layers.Layer().scope_name,
        lambda: tf.layers.Layer().graph,
        lambda: tf.layers.Layer(_reuse=True).name,
    )


def configs(tf, stage):
    base = tf.keras.layers.Layer

    class Silent(base):
        def __init__(self, units, **kwargs):
            super().__init__(**kwargs)
            self.units = units

    class Telling(Silent):
        def get_config(self):
            return dict(base.get_config(self), units=self.units)

    class Plain(base):
        def __init__(self, **kwargs):
            super().__init__(**kwargs)

    class Named(base):
        def __init__(self, name="n", trainable=False, dtype="float64", dynamic=True):
            super().__init__(trainable, name, dtype, dynamic)

    stage.attempts(
        lambda: Silent(3).get_config(),
        lambda: Telling(3, name="t").get_config(),
        lambda: Telling.from_config({"units": 4, "name": "u"}).units,
        lambda: Plain(input_shape=(2,)).get_config(),
        lambda: Plain(batch_input_shape=(None, 2), dtype="int32", trainable=False).get_config(),
        lambda: Named().get_config(),
        lambda: Named.from_config(Named("m").get_config()).name,
        lambda: tf.keras.layers.serialize(Telling(3, name="t")),
        lambda: tf.keras.layers.deserialize({"class_name": "Telling", "config": {"units": 2}}),
        lambda: (
            tf.keras.layers.deserialize(
                {"class_name": "Telling", "config": {"units": 2}}, {"Telling": Telling}
            ).units
        ),
        lambda: tf.keras.layers.deserialize({"class_name": "Dense"}),
        lambda: tf.keras.layers.deserialize({"class_name": "Dense", "config": {"units": 2}}).units,
    )
    with tf.keras.utils.CustomObjectScope({"Telling": Telling}, {"more": Plain}):
        stage.attempts(
            lambda: (
                tf.keras.layers.deserialize({"class_name": "Telling", "config": {"units": 5}}).units
            ),
            lambda: sorted(tf.keras.utils.get_custom_objects()),
        )
        with tf.keras.utils.custom_object_scope({"more": 3}):
            stage.say(tf.keras.utils.get_custom_objects()["more"])
        stage.say(tf.keras.utils.get_custom_objects()["more"].__name__)
    stage.say(sorted(tf.keras.utils.get_custom_objects()))


def _weights(tf, stage, base, more):
    layer = base(name="l")
    same = tf.VariableSynchronization
    sums = tf.VariableAggregation

    def add(*given, **options):
        def run():
            v = layer.add_weight(*given, **options)
            stage.say(v.name, str(v.shape), v.dtype.name, v.trainable, v.constraint, v.op.type)
            return v.synchronization, v.aggregation, len(layer.losses), layer.dtype

        return run

    stage.attempts(
        add("plain", [2]),
        add("scalar", ()),
        add("again", [2], "float64"),
        add("whole", [2], tf.int32),
        add("flag", [1], dtype="bool"),
        add("text", [1], dtype=tf.string),
        add("text_made", [1], tf.string, tf.constant_initializer("a")),
        add("named", [2], initializer="ones"),
        add("called", [2], initializer=lambda shape, dtype=None, **_: tf.ones(shape, dtype) * 3.0),
        add("wrong", [2], initializer="none"),
        add("number", [2], initializer=3),
        add("penalty", [2], initializer="ones", regularizer=tf.keras.regularizers.l1(0.5)),
        add("fixed", [2], trainable=False),
        add("bound", [2], constraint=tf.nn.relu),
        add("reference", [2], use_resource=False),
        add("resource", [2], use_resource=True),
        add("read", [2], synchronization=same.ON_READ),
        add("read_trained", [2], synchronization=same.ON_READ, trainable=True),
        add("written", [2], synchronization=same.ON_WRITE, aggregation=sums.MEAN),
        add("summed", [2], aggregation=sums.SUM),
        add("unknown", [2], unknown=1),
        add("shape", "a"),
        add("plain", [2]),
        *[add(name, [2], **options) for name, options in more.items()],
    )
    stage.attempt(lambda: layer.add_variable("old", [3]).name)
    stage.say([w.name for w in layer.trainable_weights])
    stage.say([w.name for w in layer.non_trainable_weights])
    layer.trainable = False
    stage.say([w.name for w in layer.non_trainable_variables], layer.trainable_variables)
    stage.attempts(add("late", [1]), add("late_trained", [1], trainable=True), layer.count_params)
    layer.built = True
    stage.attempts(layer.count_params, lambda: [x.name for x in layer.losses])
    stage.say([v.name for v in tf.trainable_variables()])


def weights_of_keras(tf, stage):
    _weights(
        tf,
        stage,
        tf.keras.layers.Layer,
        {
            "collected": {"collections": ["mine"]},
            "gotten": {"getter": lambda **kw: tf.Variable(tf.ones([2]), name=kw["name"] + "_g")},
            "parted": {"partitioner": tf.fixed_size_partitioner(2)},
        },
    )
    layer = tf.keras.layers.Layer()
    stage.attempts(
        lambda: layer.add_weight().name,
        lambda: str(layer.add_weight(shape=None, initializer="zeros").shape),
        lambda: layer.add_weight(name="w", shape=2, initializer="zeros").shape,
    )


def weights_of_scopes(tf, stage):
    _weights(
        tf,
        stage,
        tf.layers.Layer,
        {"collected": {"collections": ["mine"]}, "cast": {"experimental_autocast": False}},
    )
    with tf.variable_scope("outer", initializer=tf.ones_initializer(), use_resource=True):
        layer = tf.layers.Layer()
        v = layer.add_weight("v", [2])
        stage.say(v.name, v.op.type, layer.scope_name)
    layer = tf.layers.Layer(name="cut")
    parts = layer.add_weight(
        "p", [4], partitioner=tf.fixed_size_partitioner(2), regularizer=tf.nn.l2_loss
    )
    stage.say([p.name for p in parts], [x.name for x in layer.losses], len(layer.weights))
    stage.say([x.name for x in tf.get_collection("regularization_losses")])


def values_of_weights(tf, stage):
    layer = tf.keras.layers.Dense(2, kernel_initializer="ones", weights=[np.full([3, 2], 4.0)] * 2)
    stage.attempts(
        layer.count_params,
        layer.get_weights,
        lambda: layer.set_weights([]),
        lambda: layer.set_weights([np.ones([3, 2])]),
        lambda: layer(tf.ones([1, 3])),
    )
    layer = tf.keras.layers.Dense(2, weights=[np.full([3, 2], 4.0), np.array([1.0, 2.0])])
    with tf.Graph().as_default(), tf.Session() as session:
        y = layer(tf.ones([1, 3]))
        stage.say(session.run(y), layer.get_weights(), layer._initial_weights)
        stage.attempts(
            lambda: layer.set_weights([np.ones([3, 2])]),
            lambda: layer.set_weights([np.ones([2, 3]), np.ones([2])]),
            lambda: layer.set_weights([np.ones([3, 2]), [1.0, 2.0]]),
            lambda: layer.set_weights([np.ones([3, 2]), np.ones([2])]),
            layer.count_params,
        )
        stage.say(session.run(y))
        normal = tf.keras.layers.BatchNormalization()
        normal(tf.ones([1, 3]))
        normal.set_weights([np.full([3], n) for n in (1.0, 2.0, 3.0, 4.0)])
        normal.trainable = False
        stage.say(normal.get_weights(), [w.name for w in normal.weights], normal.count_params())
        stage.say(tf.keras.layers.Flatten().get_weights())
        tf.keras.layers.Flatten().set_weights([])


def what_is_tracked(tf, stage):
    base, k = tf.keras.layers.Layer, tf.keras.layers

    def told(layer):
        stage.say([w.name for w in layer.trainable_weights])
        stage.say([w.name for w in layer.non_trainable_weights], len(layer.losses))

    layer = base()
    layer.one = tf.Variable(1.0, name="one")
    layer.fixed = tf.Variable(2.0, name="fixed", trainable=False)
    layer.same = layer.one
    layer.rows = [tf.Variable(3.0, name="row"), {"deep": tf.Variable(4.0, name="deep")}]
    layer.pair = (tf.Variable(5.0, name="pair"), 3)
    layer.dense = k.Dense(1, kernel_regularizer="l2", name="d")
    layer.several = [k.Dense(1, name="e"), [k.Dense(1, name="f")]]
    layer.by_name = {"b": k.Dense(1, name="h"), "a": k.Dense(1, name="g"), "n": 3}
    for part in (layer.dense, *layer.several[:1], layer.several[1][0], layer.by_name["a"]):
        part.build((None, 1))
    told(layer)
    layer.rows.append(tf.Variable(6.0, name="late"))
    layer.several.append(k.BatchNormalization(name="n"))
    layer.several[-1].build((None, 1))
    layer.by_name["c"] = k.Dense(1, name="i")
    layer.by_name["c"].build((None, 1))
    told(layer)
    layer.one = None
    told(layer)
    del layer.same
    del layer.dense
    told(layer)
    layer.fixed = tf.Variable(7.0, name="instead")
    layer.several = []
    told(layer)
    layer.trainable = False
    told(layer)
    stage.say(layer.rows[0].trainable, layer.by_name["a"].trainable)
    layer.by_name["a"].trainable = True
    told(layer)
    layer.trainable = True
    stage.say(len(layer.weights), len(layer.variables), len(layer.trainable_variables))
    for name in ("weights", "losses", "updates", "metrics", "input", "dtype", "name", "dynamic"):
        with stage.failing():
            setattr(layer, name, 3)
    stage.attempts(
        lambda: setattr(layer, "input_spec", 3),
        lambda: setattr(layer, "input_spec", [tf.keras.layers.InputSpec(ndim=2), None]),
        lambda: setattr(layer, "activity_regularizer", 3),
        lambda: layer.nothing,
    )
    early = _class(base, __init__=lambda self: setattr(self, "v", 3))
    stage.attempt(lambda: early().v)
    held = _class(base, __init__=lambda self: setattr(self, "d", k.Dense(1)))
    stage.attempt(held)
    module = base()
    module.inner = tf.Module()
    module.inner.v = tf.Variable(1.0, name="of_module")
    told(module)
    stage.say([m.name for m in module.submodules], [v.name for v in module.variables])


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


def updates_of_calls(tf, stage):
    v = tf.Variable(1.0, name="v")

    def call(self, x):
        self.add_update(tf.assign(v, tf.reduce_sum(x), name="from_x"))
        self.add_update([tf.assign_add(v, 1.0, name="plain"), lambda: tf.no_op("late")])
        self.add_update(lambda: lambda: tf.constant(1.0, name="twice"), inputs=True)
        self.add_update(3)
        return x

    for base in (tf.keras.layers.Layer, tf.layers.Layer):
        layer = _class(base, "Updating", call=call)()
        x = tf.ones([2], name="x")
        with tf.control_dependencies([]):
            layer(x)
        stage.say([u.name for u in layer.updates])
        stage.attempts(
            lambda: [u.name for u in layer.get_updates_for(None)],  # noqa: B023  called here
            lambda: [u.name for u in layer.get_updates_for(x)],  # noqa: B023
            lambda: layer.get_updates_for([tf.constant(1.0)]),  # noqa: B023
            lambda: layer.add_update("a"),  # noqa: B023
        )
        layer.trainable = False
        stage.say(layer.updates, layer.get_updates_for(x))
        layer.stateful = True
        stage.say(len(layer.updates))
        layer.trainable, layer.stateful = True, False
        layer(x)
        outer = tf.keras.layers.Layer()
        outer.parts = [layer]
        stage.say(len(outer.updates), len(tf.get_collection(tf.GraphKeys.UPDATE_OPS)))
        outer.trainable = False
        stage.say(len(outer.updates))
        outside = base()
        outside.add_update(tf.assign(v, 2.0))
        stage.say([u._unconditional_update for u in outside.updates])


def metrics_of_calls(tf, stage):
    base, metrics = tf.keras.layers.Layer, tf.keras.metrics

    def call(self, x):
        self.add_metric(tf.reduce_sum(x), name="total", aggregation="mean")
        self.add_metric(self.own(x))
        return x

    layer = _class(base, call=call)()
    layer.own = metrics.Sum(name="own")
    layer(tf.ones([2]))
    stage.say([m.name for m in layer.metrics], [w.name for w in layer.weights])
    layer(tf.ones([2]) * 2.0)
    stage.say([m.name for m in layer.metrics])
    stage.attempts(
        lambda: layer.add_metric(tf.constant(1.0)),
        lambda: layer.add_metric(tf.constant(1.0), "mean"),
        lambda: layer.add_metric(tf.constant(1.0), "sum", "s"),
        lambda: layer.add_metric(tf.constant(1.0), name="single"),
        lambda: layer.add_metric(tf.constant(1.0), name="total"),
        lambda: layer.add_metric(tf.constant(1.0), "mean", "more"),
        lambda: layer.add_metric(metrics.Mean(name="m")(tf.constant(1.0)), name="other"),
        lambda: [m.name for m in layer.metrics],
        lambda: layer.add_metric(metrics.Mean(name="total")(1.0)),
        lambda: [m.name for m in layer.metrics],
    )
    outer = base()
    outer.inner = layer
    stage.say([m.name for m in outer.metrics])
    with tf.Session() as session:
        session.run([v.initializer for m in layer.metrics for v in m.variables])
        session.run(layer.metrics[0].updates)
        stage.say(session.run([v for m in layer.metrics for v in m.variables]))


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


def input_specs(tf, stage):
    spec = tf.keras.layers.InputSpec
    cases = (
        {},
        {"dtype": tf.float32},
        {"dtype": "int64", "shape": (None, 3)},
        {"shape": (2, 3), "ndim": 5},
        {"ndim": 2},
        {"max_ndim": 3},
        {"min_ndim": 3},
        {"ndim": 2, "axes": {1: 3}},
        {"ndim": 2, "axes": {-1: 3}},
        {"axes": {"1": 3}},
        {"axes": {"a": 3}},
        {"axes": [1]},
        {"ndim": 2, "axes": {2: 3}},
        {"max_ndim": 2, "axes": {1: None, 0: 4}},
        {"max_ndim": 1, "axes": {1: 3}},
        {"ndim": 0, "axes": {}},
        {"min_ndim": 2, "axes": {-1: tf.Dimension(3)}},
    )
    tensors = (
        tf.ones([2, 3]),
        tf.ones([3]),
        tf.ones([2, 3, 4]),
        tf.ones([2, 3], tf.int64),
        tf.placeholder(tf.float32, [None, None]),
        tf.placeholder(tf.float32),
        tf.constant(1.0),
        np.ones([2, 3]),
    )
    for options in cases:
        with stage.failing():
            made = spec(**options)
            stage.say(repr(made), made.get_config(), repr(spec.from_config(made.get_config())))
            layer = tf.keras.layers.Layer(name="l")
            layer.input_spec = made
            stage.attempts(*[lambda x=x: layer(x).name for x in tensors])  # noqa: B023
    layer = tf.keras.layers.Layer(name="two")
    layer.input_spec = [spec(ndim=2), None]
    stage.attempts(
        lambda: layer(tensors[0]),
        lambda: layer([tensors[0], tensors[1]])[1].name,
        lambda: layer([tensors[1], tensors[0]]),
        lambda: layer([tensors[0]] * 3),
        lambda: setattr(layer, "input_spec", [spec(ndim=2), 3]),
        lambda: layer.input_spec,
    )


def shapes_and_signatures(tf, stage):
    base, spec = tf.keras.layers.Layer, tf.TensorSpec

    class Halving(base):
        def compute_output_shape(self, shape):
            return tf.TensorShape([shape[0], shape[1] // 2])

    def build(self, shape):
        self.w = self.add_weight("w", () if shape is None else shape[-1:], initializer="ones")

    shaped = Halving(dtype="float64")
    stage.attempts(
        lambda: shaped.compute_output_signature(spec([2, 4], tf.float32)),
        lambda: Halving().compute_output_signature(spec([2, 4], tf.int32)),
        lambda: Halving().compute_output_signature(tf.constant([[1.0, 2.0]])),
        lambda: tf.keras.layers.Add().compute_output_signature([spec([2], tf.float32)] * 2),
        lambda: base().compute_output_signature(spec([2], tf.float32)),
        lambda: tf.keras.layers.Dense(3).compute_output_signature(spec([None, 2], tf.float16)),
    )
    with eager_mode(tf):
        stage.attempts(
            lambda: base().compute_output_shape((2, 3)),
            lambda: base().compute_output_shape([(2, 3), (None, 1)]),
            lambda: base().compute_output_shape([2, 3]),
            lambda: base(dynamic=True).compute_output_shape((2, 3)),
            lambda: _class(base, build=build)().compute_output_shape((2, 3)),
            lambda: _class(base, build=build)().compute_output_shape(tf.TensorShape([2, 3])),
            lambda: _class(base, build=build)(dtype="float64").compute_output_shape([[2, 3]]),
            lambda: _class(base, call=lambda self, x, training=None: [x, x[0]])(
                dtype="int32"
            ).compute_output_shape(tf.TensorShape([None, 2])),
            lambda: _class(base, call=lambda self, x, y: x)().compute_output_shape((2,)),
            lambda: base().compute_output_signature(spec([2], tf.int32)),
        )
    lazy = Halving(dynamic=True, name="lazy")
    y = lazy(tf.ones([2, 4]))
    stage.say(y.op.type, str(y.shape), y.dtype.name, lazy.get_config())
    stage.attempt(lambda: base(dynamic=True)(tf.ones([2, 4])))


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
